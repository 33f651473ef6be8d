import { defineConfig } from 'vitest/config';

const TESTS = ['apps/**/*.test.ts', 'packages/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];

/**
 * Tests for which it matters what their process has loaded or been told before: libraries that are loaded once in the
 * life of a process, and what is said of a process as a whole.
 */
const ALONE = [
  'packages/embeddings/**/*.test.ts',
  'packages/native/**/*.test.ts',
  'packages/service/src/embedding/**/*.test.ts',
  'packages/vault/src/disk/open-files.test.ts',
  'packages/vault/src/watch/lazy-watcher.test.ts',
];

const NEVER = ['**/node_modules/**', '**/target/**'];

// As bin/grove has it: what hundreds of indexes leave behind in one process is given back.
process.env.MALLOC_ARENA_MAX ??= '2';

export default defineConfig({
  test: {
    setupFiles: ['scripts/property-seed.ts'],
    // A hang limit, not a performance claim: real indexes, processes and repositories run in the tests.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What is waited for is there soon, or on a busy machine later.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, exclude: NEVER } },
      {
        extends: true,
        test: {
          name: 'together',
          include: TESTS,
          exclude: [...NEVER, ...ALONE],
          // Loading Grove takes longer than most files of tests, so one process runs many of them in turn. They leave
          // nothing behind: clocks and variables of the process are put back by the test that changed them.
          isolate: false,
          setupFiles: ['scripts/process-unchanged.ts'],
        },
      },
    ],
  },
});
