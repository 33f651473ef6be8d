import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { runAtTerminal } from '../testing/terminal-run.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const COMPOST = 'Garden/Compost.md';

let scratch: Scratch;
let args: string[];
beforeEach(async () => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
  await runGrove(['vault', 'writes', 'on', ...args]);
});
afterEach(() => scratch.remove());

const inTrash = (): string[] => {
  const folder = join(scratch.vault, '.trash');
  return existsSync(folder) ? readdirSync(folder) : [];
};

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
async function json(words: readonly string[]): Promise<any> {
  return JSON.parse((await runGrove([...words, ...args, '--json'])).stdout);
}

describe('grove trash', () => {
  it.each([false, true])(
    'with a server: %s, lists, tells what would go, and empties with --yes',
    async (served) => {
      const server = served ? await startServer(args) : null;
      try {
        expect(await json(['trash'])).toMatchObject({ batches: [], notes: 0 });
        await json(['delete', COMPOST]);
        const { stdout } = await runGrove(['trash', ...args]);
        expect(stdout).toContain(COMPOST);
        expect(await json(['trash'])).toMatchObject({ batches: [{ notes: [COMPOST] }], notes: 1 });
        expect(await json(['trash', 'empty', '--older-than', '30d', '--yes'])).toMatchObject({ batches: [] });
        expect(await json(['trash', 'empty', '--dry-run'])).toMatchObject({ dry_run: true, notes: 1 });
        expect(inTrash()).toHaveLength(1);
        expect(await json(['trash', 'empty', '--yes'])).toMatchObject({ emptied: true, notes: 1 });
        expect(inTrash()).toEqual([]);
      } finally {
        await server?.stop();
      }
    },
  );

  it('asks at a terminal, and removes nothing without a yes, or where nobody can be asked', async () => {
    await json(['delete', COMPOST]);
    const refused = await runGrove(['trash', 'empty', ...args]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    const kept = runAtTerminal(['trash', 'empty', ...args]);
    await kept.answer('[y/N]', 'n');
    await kept.done;
    expect(kept.shown()).toContain(COMPOST);
    expect(inTrash()).toHaveLength(1);
    const gone = runAtTerminal(['trash', 'empty', ...args]);
    await gone.answer('[y/N]', 'y');
    await gone.done;
    expect(inTrash()).toEqual([]);
    const nothing = runAtTerminal(['trash', 'empty', ...args]);
    await nothing.done;
    expect(nothing.shown()).toContain('nothing to remove');
  });
});
