import { flushCompileCache } from 'node:module';

// Loaded before a script of a test. Node writes what it compiled when a process ends, and one that is killed never does.
setInterval(flushCompileCache, 100).unref();
