import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';

const ANN = 54_321;
const isRoot = process.geteuid?.() === 0;
const script = fileURLToPath(new URL('../testing/unreadable.ts', import.meta.url));

describeWithPrograms('a vault whose folders may not be read', ['setpriv'], () => {
  it('keeps its index and says that it is degraded, and goes on once they may (user-pains 7)', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'Folder/B.md': 'b' });
    mkdirSync(folder.stateDir);
    const base = dirname(folder.root);
    chmodSync(base, 0o755);
    // Root may read everything.
    if (isRoot) execFileSync('chown', ['-R', `${ANN}:${ANN}`, base]);
    const as = isRoot ? ['setpriv', `--reuid=${ANN}`, `--regid=${ANN}`, '--clear-groups'] : ['env'];
    const [program = '', ...words] = [
      ...as,
      process.execPath,
      script,
      folder.root,
      folder.stateDir,
      'Folder',
    ];
    const child = spawnSync(program, words, { encoding: 'utf8', env: { PATH: process.env.PATH } });
    expect(child.stderr).toBe('');
    const paths = ['A.md', 'Folder/B.md'];
    expect(JSON.parse(child.stdout)).toEqual({
      told: [
        // What may not be read is not shown, and is not forgotten.
        {
          state: 'ready',
          notes: 2,
          problem: null,
          unreadableFolders: ['Folder'],
          paths: expect.arrayContaining(['A.md']),
        },
        { state: 'degraded', notes: 2, problem: expect.any(String), unreadableFolders: [], paths },
        { state: 'ready', notes: 2, problem: null, unreadableFolders: [], paths },
      ],
      parsed: 2,
    });
  });
});
