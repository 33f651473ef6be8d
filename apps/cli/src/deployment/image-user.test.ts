import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms, makeFolder, type TestFolder, writeFiles } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAIN } from '../testing/processes.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const OWNER = 4711;
const GROUP = 4712;

/** Runs what follows where the state cannot be written. */
const READ_ONLY = [
  'unshare',
  '--mount',
  'sh',
  '-ec',
  'mount --bind "$GROVE_DATA" "$GROVE_DATA"; mount -o remount,ro,bind "$GROVE_DATA"; exec "$@"',
  'sh',
];

/** Root alone can go on as somebody else, who must be able to read this checkout. */
const asSomebody =
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [`--reuid=${OWNER}`, '--clear-groups', process.execPath, '--check', MAIN]).status ===
    0;

describeWithPrograms('the program of the image', ['setpriv', 'unshare'], () => {
  const describeAsRoot = asSomebody ? describe : describe.skip;
  describeAsRoot(
    'started as root (run as root, in a checkout that others can read)',
    { timeout: 600_000 },
    () => {
      let folder: TestFolder;
      let vault: string;
      let data: string;
      beforeEach(() => {
        folder = makeFolder('image');
        vault = join(folder.path, 'vault');
        data = join(folder.path, 'data');
        chmodSync(folder.path, 0o755);
        // As in the image, where all of Grove is in one folder.
        mkdirSync(join(folder.path, 'bin'));
        copyFileSync(join(ROOT, 'deploy/image/grove'), join(folder.path, 'bin/grove'));
        symlinkSync(join(ROOT, 'apps'), join(folder.path, 'apps'));
        writeFiles(vault, { 'Kettle.md': '# Kettle\n' });
        mkdirSync(data);
      });
      afterEach(() => folder.remove());

      function grove(
        args: readonly string[],
        env: Readonly<Record<string, string>> = {},
        before: readonly string[] = [],
      ): SpawnSyncReturns<string> {
        const [program = '', ...words] = [...before, join(folder.path, 'bin/grove'), ...args];
        return spawnSync(program, words, {
          encoding: 'utf8',
          cwd: vault,
          input: 'Bought in spring.\n',
          env: {
            PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
            GROVE_VAULT: vault,
            GROVE_DATA: data,
            GROVE_EMBEDDER: 'off',
            ...env,
          },
        });
      }

      function write(env: Readonly<Record<string, string>> = {}): void {
        for (const args of [
          ['vault', 'writes', 'on'],
          ['append', 'Kettle'],
          ['write', 'Inbox/Cup.md'],
        ]) {
          const { status, stderr } = grove(args, env);
          expect(status, stderr).toBe(0);
        }
      }

      const allIn = (root: string): string[] => [
        '.',
        ...(readdirSync(root, { recursive: true }) as string[]),
      ];

      const ownersIn = (root: string): string[] => {
        const all = ['.', ...(readdirSync(root, { recursive: true }) as string[])];
        const owners = all.map((name) => lstatSync(join(root, name))).map(({ uid, gid }) => `${uid}:${gid}`);
        return [...new Set(owners)];
      };

      const give = (uid: number, gid: number): void => {
        for (const name of allIn(vault)) chownSync(join(vault, name), uid, gid);
      };

      it('writes notes, history and state as the owner of the vault', () => {
        give(OWNER, GROUP);
        write();
        expect([ownersIn(vault), ownersIn(data)]).toEqual([[`${OWNER}:${GROUP}`], [`${OWNER}:${GROUP}`]]);
        expect(statSync(join(vault, 'Inbox/Cup.md')).mode & 0o777).toBe(0o644);
      });

      it('writes as PUID and PGID say, with the rights of the folder', () => {
        give(OWNER, GROUP);
        write();
        give(OWNER + 1, GROUP);
        chmodSync(join(vault, 'Inbox'), 0o770);
        const said = { PUID: String(OWNER + 1), PGID: String(GROUP) };
        const { status, stderr } = grove(['write', 'Inbox/Spoon.md'], said);
        expect(status, stderr).toBe(0);
        const { uid, gid, mode } = statSync(join(vault, 'Inbox/Spoon.md'));
        expect([uid, gid, mode & 0o777]).toEqual([OWNER + 1, GROUP, 0o660]);
        expect(ownersIn(data)).toEqual([`${OWNER + 1}:${GROUP}`]);
      });

      it('is user 1000 in a vault of root, says what to do, and changes no owner there', () => {
        const { stderr, stdout, status } = grove(['list']);
        expect(stdout).toContain('Kettle');
        expect(stderr).toContain(`User 1000 may not write in ${vault}, which belongs to 0: set PUID`);
        expect([status, ownersIn(vault), ownersIn(data)]).toEqual([0, ['0:0'], ['1000:1000']]);
      });

      it.each([
        ['given to somebody else', { PUID: String(OWNER) }, `cannot be given to user ${OWNER}`],
        ['written', {}, 'User 1000 may not write in'],
      ])('says in a sentence that the state cannot be %s where it is read-only', (_what, env, words) => {
        chownSync(data, 1000, 1000);
        const { status, stderr } = grove(['list'], env, READ_ONLY);
        expect([status, stderr]).toEqual([73, expect.stringContaining(words)]);
      });

      it.each([
        ['0', 'does not run as root'],
        ['me', 'are numbers of a user'],
        ['4294967295', 'are numbers of a user'],
        ['99999999999999999999', 'are numbers of a user'],
      ])('refuses PUID=%s', (PUID, words) => {
        const { status, stderr } = grove(['list'], { PUID });
        expect([status, stderr]).toEqual([64, expect.stringContaining(words)]);
      });
    },
  );
});
