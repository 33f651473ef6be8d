import { describeWithPrograms, SystemGit } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Principal } from '../contract.ts';
import { openTestVault } from '../testing/opened.ts';

const KEY: Principal = { kind: 'key', id: 'k_narrow', name: 'Narrow' };
const OPEN = ['Open/A.md', 'Open/B.md', 'Open/Sub/C.md'];
const SHUT = ['Shut/A.md', 'Shut/D.md'];
const START = Date.parse('2026-11-01T00:00:00Z') / 1000;
const DAY = 86_400;

/** What one commit makes of some files; null removes one. Few texts, so that notes come with bytes of others. */
const change = fc.record({
  path: fc.constantFrom(...OPEN, ...SHUT),
  text: fc.option(fc.constantFrom('one\n', 'two\n', '# Three\n\nwords\n'), { nil: null, freq: 3 }),
});
const commits = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 });
type Commits = readonly (readonly { readonly path: string; readonly text: string | null }[])[];

const CALLS: readonly (readonly [string, object])[] = [
  ['vault_status', { mode: 'history', diff: true }],
  ['vault_status', { mode: 'history', since: '2026-11-03' }],
  ['vault_status', { mode: 'history', path: 'Shut' }],
  ['vault_status', { mode: 'history', path: 'Open', by: 'other', limit: 1 }],
  ...[...OPEN, ...SHUT].flatMap((path): [string, object][] => [
    ['vault_status', { mode: 'history', path, diff: true }],
    ['get', { path, include: ['history'] }],
    ...['previous', 'HEAD', 'HEAD^', 'HEAD~2'].map((revision): [string, object] => [
      'get',
      { path, revision },
    ]),
    ...[2, 4].map((day): [string, object] => ['get', { path, revision: `2026-11-0${day}T12:00` }]),
  ]),
];

/** The commits as `git fast-import` takes them: one process, where a few for each commit would take a minute under load. */
function fastImport(made: Commits, all: boolean): string {
  const files = new Map<string, string>();
  const lines: string[] = [];
  const commit = (message: string, days: number, changes: Commits[number]) => {
    const told: string[] = [];
    for (const { path, text } of changes) {
      if (!all && path.startsWith('Shut/')) continue;
      if ((files.get(path) ?? null) === text) continue;
      if (text === null) told.push(`D ${path}`);
      else told.push(`M 100644 inline ${path}`, `data ${text.length}`, text);
      if (text === null) files.delete(path);
      else files.set(path, text);
    }
    if (told.length === 0) return;
    const who = `Ada <ada@example.org> ${START + days * DAY} +0100`;
    lines.push('commit refs/heads/main', `author ${who}`, `committer ${who}`);
    lines.push(`data ${message.length}`, message, ...told);
  };
  commit('First', 0, [{ path: 'Open/First.md', text: 'first\n' }]);
  for (const [index, changes] of made.entries()) commit(`Commit ${index}`, index + 1, changes);
  return `${lines.join('\n')}\n`;
}

/** What a caller that sees `Open` alone is answered; `all` leaves the hidden files out of the vault altogether. */
async function answers(made: Commits, all: boolean): Promise<string[]> {
  const vault = await openTestVault(
    { 'Open/First.md': 'first\n' },
    {
      prepare: (root) => {
        const git = SystemGit.init(root);
        git.feed(fastImport(made, all), 'fast-import', '--quiet');
        git.run('reset', '-q', '--hard');
      },
    },
  );
  try {
    const denied = { ...allowAll, denyPaths: [parsePathRule('Shut')] };
    const scope = vault.opened.scope(KEY, denied);
    await vault.opened.historyRead;
    const told: string[] = [];
    for (const [name, input] of CALLS) {
      const { text, structured } = await vault.call(name, input, scope);
      const { created: _, modified: __, cursor, ...rest } = structured as Record<string, unknown>;
      const known = JSON.stringify([name, input, rest, cursor !== undefined, name === 'get' ? '' : text]);
      // Ids are what the commits are made of; cursors are sealed anew each time.
      told.push(known.replaceAll(/\b[0-9a-f]{12,40}\b/g, 'ID').replaceAll(/cursor \\"[^"]*\\"/g, 'cursor'));
    }
    return told;
  } finally {
    await vault.close();
  }
}

describeWithPrograms('the history that a key with path rules sees', ['git'], () => {
  it('is that of a vault in which what it does not see never was', async () => {
    await fc.assert(
      fc.asyncProperty(commits, async (made) => {
        const [seen, wanted] = await Promise.all([answers(made, true), answers(made, false)]);
        expect(seen).toEqual(wanted);
      }),
      { numRuns: Number(process.env.GROVE_TEST_RUNS ?? 5) },
    );
  });
});
