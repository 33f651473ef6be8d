import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyStep, callOf, expectOnlyNamed, noteText } from '../testing/note-steps.ts';
import { openTestVault, type TestVault } from '../testing/opened.ts';

describeWithPrograms('any sequence of operations', ['git'], () => {
  let vault: TestVault;
  let git: SystemGit;
  let run = 0;
  beforeAll(async () => {
    vault = await openTestVault(
      { 'Bystander.md': '\ufeff---\nx:  1\n---\r\nnever named \r\n', 'sub/Bystander 2.md': 'no end' },
      { writes: true, prepare: (root) => void SystemGit.init(root).commit('First') },
    );
    git = new SystemGit(vault.folder.root);
  });
  afterAll(() => vault.close());
  const bytes = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');

  it('leaves every byte that it did not name identical, and repository, index and working tree equal', async () => {
    const bystanders = ['Bystander.md', 'sub/Bystander 2.md'].map(bytes);
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(noteText, noteText, noteText),
        fc.array(anyStep, { minLength: 1, maxLength: 8 }),
        async (texts, steps) => {
          run += 1;
          const paths = texts.map((_, at) => `Run ${run}/Note ${at}.md`);
          await vault.folder.write(Object.fromEntries(paths.map((path, at) => [path, texts[at] ?? ''])));
          await vault.opened.vault.reconcile(paths);
          for (const one of steps) {
            const before = paths.map(bytes);
            const { error, structured } = await vault.call('write_note', {
              path: paths[one.note],
              ...callOf(one),
            });
            for (const [at, path] of paths.entries()) {
              const now = bytes(path);
              if (at !== one.note) expect(now).toBe(before[at]);
              else
                expectOnlyNamed(
                  one,
                  before[at] ?? '',
                  now,
                  error === null && structured.already_there !== true,
                );
            }
            expect(error?.code).not.toBe('internal');
          }
          expect(['Bystander.md', 'sub/Bystander 2.md'].map(bytes)).toEqual(bystanders);
          for (const path of paths)
            await vault.ok('write_note', { path, action: 'append', content: 'the end', repeat: true });
          await vault.opened.writes.settled();
          // A run that failed leaves its notes behind, and is no fault of those that come after it.
          expect(git.run('status', '--porcelain', '--', `Run ${run}`)).toBe('');
          expect(git.run('diff', 'HEAD', '--', `Run ${run}`)).toBe('');
        },
      ),
      { numRuns: 25 },
    );
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('is a history of commits by the one who wrote, each of exactly its paths', async () => {
    const principal = { kind: 'key', id: 'k_1', name: 'Laptop' } as const;
    const scope = vault.opened.scope(principal, undefined, { scopes: ['write'] });
    await vault.folder.write({ '[x].md': 'glob\n', 'x.md': 'not meant\n', 'ü.md': 'ü\n' }, new Date());
    await vault.opened.vault.reconcile(['[x].md', 'x.md', 'ü.md']);
    for (const path of ['[x].md', 'ü.md'])
      await vault.ok('write_note', { path, action: 'append', content: 'more', reason: 'to see' }, scope);
    await vault.opened.writes.settled();
    const log = git.run('-c', 'core.quotePath=false', 'log', '-4', '--format=%an|%s', '--name-only').trim();
    expect(log.split(/\n+/)).toEqual([
      'Laptop|Append to ü.md',
      'ü.md',
      expect.stringContaining('|'),
      'ü.md',
      'Laptop|Append to [x].md',
      '[x].md',
      expect.stringContaining('|'),
      '[x].md',
    ]);
    expect(git.run('log', '-1', '--format=%B')).toMatch(
      /Grove-Operation: append\n[\s\S]*Grove-Reason: to see/,
    );
    expect(git.run('status', '--porcelain')).toBe('?? x.md\n');
  });
});
