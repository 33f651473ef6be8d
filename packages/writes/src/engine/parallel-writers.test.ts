import { execFile } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isGroveError, parseVaultPath } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { openedEngine } from '../testing/opened-engine.ts';
import { requestOf } from '../testing/script.ts';

const run = promisify(execFile);
const WRITERS = 40;
const SHELL_COMMITS = 10;
const WRITES_MEANWHILE = 120;
/** What git says where the index is locked by a write, or there was nothing to commit. */
const MEETS_A_WRITE = /index\.lock|nothing to commit|no changes added|cannot lock ref/;
const ADA = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};
const NOTES = ['A.md', 'B.md', 'Folder/C.md', 'Folder/D.md'];

describeWithPrograms(
  'forty writers at once, beside a shell that commits and a person who saves',
  ['git'],
  () => {
    it('lose not one line, and leave HEAD, index and work tree equal', async () => {
      const vault = await openedEngine({
        ...Object.fromEntries(NOTES.map((path) => [path, 'begin\n'])),
        'Mine.md': '0\n',
      });
      let going = true;
      let committed = 0;
      const shell = async () => {
        for (let count = 0; going; count += 1) {
          appendFileSync(join(vault.root, 'Mine.md'), `shell ${count}\n`);
          try {
            await run('git', ['commit', '-qam', `Shell ${count}`], { cwd: vault.root, env: ADA });
            committed += 1;
          } catch (error) {
            // The index is locked by a write, or there was nothing to commit: a person tries again.
            if (!MEETS_A_WRITE.test(String(error))) throw error;
          }
          await setTimeout(5);
        }
      };
      const saved: string[] = [];
      const person = async () => {
        for (let count = 0; going; count += 1) {
          const path = join(vault.root, NOTES[count % NOTES.length]!);
          const line = `person ${count}`;
          // As an editor saves: what it read with one line more, in place or by a move.
          const text = `${readFileSync(path, 'utf8')}${line}\n`;
          if (count % 2 === 0) writeFileSync(path, text);
          else {
            writeFileSync(`${path}.tmp`, text);
            renameSync(`${path}.tmp`, path);
          }
          saved.push(line);
          await setTimeout(7);
        }
      };
      const lines: string[] = [];
      const writer = async (number: number) => {
        for (let count = 0; count < 5; count += 1) {
          const line = `writer ${number} line ${count}`;
          const request = requestOf({
            kind: 'append',
            paths: [NOTES[(number + count) % NOTES.length]!],
            line,
          });
          for (;;) {
            try {
              await vault.engine.apply(request);
              break;
            } catch (error) {
              if (!isGroveError(error, 'git_busy') && !isGroveError(error, 'write_conflict')) throw error;
            }
          }
          lines.push(line);
        }
      };
      const beside = [shell(), person()];
      await Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
      going = false;
      await Promise.all(beside);
      const notes = readdirSync(vault.root, { recursive: true })
        .map(String)
        .filter((path) => /^(?!\.git).*\.md$/.test(path));
      await vault.engine.commitOutside(notes.map(parseVaultPath));
      await vault.engine.settled();
      expectSound(vault.git);
      expect(committed).toBeGreaterThan(0);
      // An editor that read before a write and saved after it undoes it on disk, as everywhere; the history has it.
      const texts = vault.git.run('log', '-p', '--format=', '--unified=0');
      const added = new Set(
        texts
          .split('\n')
          .filter((line) => line.startsWith('+'))
          .map((line) => line.slice(1)),
      );
      expect(lines).toHaveLength(WRITERS * 5);
      expect(lines.filter((line) => !added.has(line))).toEqual([]);
      expect(saved.filter((line) => !added.has(line))).toEqual([]);
      expect(vault.problems.filter(({ what }) => what !== 'conflict')).toEqual([]);
    });

    it.each([
      ['one after the other', 1],
      ['several at once', 4],
    ])('leave a shell its turns to commit while they write without a pause: %s', async (_, writers) => {
      const vault = await openedEngine({ 'A.md': 'begin\n', 'Mine.md': '0\n' });
      let committed = 0;
      let written = 0;
      const isOver = () => committed === SHELL_COMMITS || written >= WRITES_MEANWHILE;
      const writer = async () => {
        while (!isOver()) {
          await vault.engine.apply(requestOf({ kind: 'append', paths: ['A.md'], line: `line ${written}` }));
          written += 1;
        }
      };
      const shell = async () => {
        while (!isOver()) {
          writeFileSync(join(vault.root, 'Mine.md'), `${committed + 1}\n`);
          try {
            await run('git', ['commit', '-qam', 'Shell'], { cwd: vault.root, env: ADA });
            committed += 1;
          } catch (error) {
            if (!MEETS_A_WRITE.test(String(error))) throw error;
          }
        }
      };
      await Promise.all([shell(), ...Array.from({ length: writers }, writer)]);
      expect(committed).toBe(SHELL_COMMITS);
      await vault.engine.settled();
      expectSound(vault.git);
    });

    it('each add their line exactly once where nobody saves beside them', async () => {
      const vault = await openedEngine({ 'A.md': 'begin\n' });
      await Promise.all(
        Array.from({ length: WRITERS }, (_, number) =>
          vault.engine.apply(requestOf({ kind: 'append', paths: ['A.md'], line: `line ${number}` })),
        ),
      );
      const expected = ['begin', ...Array.from({ length: WRITERS }, (_, number) => `line ${number}`)];
      expect(vault.text('A.md')!.trimEnd().split('\n')).toEqual(expected);
      expect(vault.git.run('rev-list', '--count', 'HEAD').trim()).toBe(`${WRITERS + 1}`);
      await vault.engine.settled();
      expectSound(vault.git);
    });
  },
);
