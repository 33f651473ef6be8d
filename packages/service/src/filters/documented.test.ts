import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { LOGIC_OPERATORS } from './logic/operators.ts';

const PAGE = readFileSync(new URL('../../../../docs/filters.md', import.meta.url), 'utf8');

const EXAMPLES = [...PAGE.matchAll(/^```json\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.split('\n').filter((line) => line !== ''),
);

const TEN = Array.from({ length: 11 }, (_, index) => `[[t${index}]]`).join(' ');

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    'Active.md': '---\nstatus: active\ndue: 2026-11-20\ntype: task\n---\n',
    'Ada.md':
      '---\ntype: person\ntags: [garden, urgent]\nreviewed: 2027-01-01\n---\n[[Projects/Alone]]\n- [ ] Call home\n',
    'Projects/Alone.md': `---\ntype: project\ndue: 2027-01-01\n---\n${'long '.repeat(300)} [[Ada]]\n`,
    'Projects/Lonely.md': '---\ntype: project\ndue: 2027-01-01\n---\nfew\n',
    'Many.md': `---\ntype: list\ndue: 2027-01-01\n---\n${'long '.repeat(300)} ${TEN}\n`,
    ...Object.fromEntries(
      Array.from({ length: 11 }, (_, index) => [`t${index}.md`, '---\ntype: t\ndue: 2027-01-01\n---\nx\n']),
    ),
  });
  await vault.folder.write(
    { 'Withered.md': '---\ntype: t\ndue: x\n---\nx\n' },
    new Date('2020-05-01T10:00:00Z'),
  );
  await vault.opened.vault.reconcile();
});
afterAll(() => vault.close());

/** What each example leaves, in the order of the page; where it is many, some of them. */
const LEFT: readonly (readonly string[])[] = [
  ['Active.md'],
  ['Ada.md'],
  ['Active.md', 'Projects/Lonely.md', 'Withered.md'],
  ['Withered.md'],
  ['Active.md', 'Ada.md'],
  ['Projects/Lonely.md'],
  ['Many.md'],
  ['Ada.md'],
  ['Ada.md'],
  ['Ada.md', 'Projects/Alone.md'],
  ['Ada.md'],
  ['Ada.md'],
];

describe('docs/filters.md', () => {
  it.each(EXAMPLES.map((where, at) => [where, LEFT[at]] as const))('%s', async (where, left) => {
    const { notes } = await vault.ok('list_notes', { where, sort: 'path' });
    expect(notes.map(({ path }: { path: string }) => path)).toEqual(left);
  });

  it('names every operator', () => {
    const named = new Set([...PAGE.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name));
    expect(LOGIC_OPERATORS.filter((operator) => !named.has(operator))).toEqual([]);
  });
});
