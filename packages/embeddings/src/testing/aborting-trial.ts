// A trial of LanceDB that ends as on a processor that it was not built for.
process.kill(process.pid, 'SIGILL');
