import { enableCompileCache, registerHooks } from 'node:module';
import { onCrash } from './crash.ts';
import { quickResolve } from './quick-resolve.ts';
import { VERB_NAMES } from './verb-names.ts';

enableCompileCache();
registerHooks({ resolve: quickResolve(new URL('../../../', import.meta.url).href) });
// A reader such as head closes its end early.
process.stdout.on('error', () => process.exit(process.exitCode ?? 0));
// A terminal that was closed takes no words, and what serves must end in order all the same.
process.stderr.on('error', () => {});
const outcome = await main(process.argv.slice(2));
// What crashed stays a failure, however well it ended.
process.exitCode ||= outcome;
await new Promise((resolve) => process.stdout.write('', resolve));
// What a closed session leaves behind (a paused stdin, an idle pool) must not keep the process.
process.exit();

async function main(args: readonly string[]): Promise<number> {
  const stop = endsInOrder(args) ? stopOnSignals() : null;
  process.on(
    'uncaughtException',
    onCrash({ stop, stderr: process.stderr, exit: (code) => process.exit(code) }),
  );
  // Loaded from here on, so that the cache holds it.
  const { runCommandLine } = await import('./command-line.ts');
  return await runCommandLine(args, process, stop?.signal ?? new AbortController().signal);
}

function endsInOrder(args: readonly string[]): boolean {
  const verb = args.find((argument) => VERB_NAMES.some((name) => name === argument));
  return verb === 'start' || verb === 'stdio' || verb === 'backup';
}

/** Verbs that serve, and those that have secrets lying about, end in order on the first signal and at once on the second; others end as any command does. */
function stopOnSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130);
      stop.abort();
    });
  return stop;
}
