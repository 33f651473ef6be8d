import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../../testing/opened.ts';

/** The clock of tests stands at noon of 2026-11-30. */
const dated = (created: string, modified: string, text = ''): string =>
  `---\ncreated: ${created}T12:00:00Z\nmodified: ${modified}T12:00:00Z\n---\n${text}\n`;

const FILES = {
  '.grove/vault.yaml': 'zone: UTC\ngarden:\n  leave_out: Templates\n',
  'Templates/Day.md': '# {{date}}\n',
  'Idea.md': dated('2026-11-24', '2026-11-24', 'A few words. [[Plan]]'),
  'Plan.md': dated('2026-11-10', '2026-11-29', '[[Idea]]'),
  'Lone.md': dated('2026-11-29', '2026-11-30', 'Nobody knows it.'),
  'Old.md': dated('2024-01-01', '2024-01-02', '# The old one'),
  'Private/Debts.md': dated('2024-01-01', '2024-01-02', '[[Old]] [[Idea]]'),
  'Private/More.md': dated('2024-01-01', '2024-01-02', '[[Old]]'),
};

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(FILES, { writes: true });
});
afterAll(() => vault.close());

const totals = ({ stages }: { stages: { stage: string; total: number }[] }) =>
  Object.fromEntries(stages.filter(({ total }) => total > 0).map(({ stage, total }) => [stage, total]));

describe('vault_status digest', () => {
  it('tells how far notes have come and what needs a look', async () => {
    const answer = await vault.ok('vault_status', { mode: 'digest' });
    expect(answer).toMatchObject({ mode: 'digest', notes: 7, left_out: 1, now: '2026-11-30T12:00:00Z' });
    expect(totals(answer)).toEqual({ seed: 2, sprout: 1, dormant: 1, withering: 2 });
    expect(answer.stages[0].notes[1]).toMatchObject({
      path: 'Idea.md',
      age: 6,
      untouched: 6,
      words: 4,
      backlinks: 2,
    });
    expect(answer.attention).toMatchObject([
      { what: 'ripe_seeds', total: 1, examples: ['Idea.md'] },
      { what: 'unlinked', total: 1, examples: ['Lone.md'] },
      { what: 'withering', total: 2 },
    ]);
  });

  it('is text that stands alone', async () => {
    const { text } = await vault.call('vault_status', { mode: 'digest', limit: 1 });
    expect(text.split('\n')).toEqual([
      'Vault "Garden" on 2026-11-30 12:00: 7 notes, 1 of them without a stage.',
      'What needs attention today:',
      '- 1, short and hardly linked, and no seeds any more within two days: Idea.md',
      '- 1, new or in work, and no link leads from or to them: Lone.md',
      '- 2, long untouched and hardly linked: link them, or let them go: Private/Debts.md, Private/More.md',
      'seed: 2',
      '- Lone.md: made 1 day ago, changed today, 3 words, 0 backlinks',
      '- and 1 more',
      'sprout: 1',
      '- Plan.md: made 20 days ago, changed 1 day ago, 1 word, 1 backlink',
      'growing: 0',
      'mature: 0',
      'withering: 2',
      '- Private/Debts.md: made 1,064 days ago, changed 1,063 days ago, 2 words, 0 backlinks',
      '- and 1 more',
      'dormant: 1',
      '- Old.md (The old one): made 1,064 days ago, changed 1,063 days ago, 3 words, 2 backlinks',
    ]);
  });

  it('stages for a narrower View by its own backlinks', async () => {
    const denyPaths = [parsePathRule('Private')];
    const narrow = vault.opened.scope(STDIO, { readPaths: [], writePaths: [], denyPaths, readOnly: false });
    const answer = await vault.ok('vault_status', { mode: 'digest' }, narrow);
    expect(totals(answer)).toEqual({ seed: 2, sprout: 1, withering: 1 });
    expect(JSON.stringify(answer)).not.toContain('Private');
  });

  it('shows what was just written, and settings that just changed', async () => {
    await vault.ok('write_note', { path: 'New.md', content: '[[Lone]] [[Wanted]]\n' });
    for (const name of ['Idea', 'Plan'])
      await vault.ok('write_note', { path: `${name}.md`, action: 'append', content: '[[wanted]]' });
    const answer = await vault.ok('vault_status', { mode: 'digest' });
    expect(answer.stages[0].notes[0]).toMatchObject({ path: 'New.md', age: 0, backlinks: 0 });
    expect(
      answer.attention.map(({ what, examples }: { what: string; examples: string[] }) => [what, examples[0]]),
    ).toEqual(expect.arrayContaining([['asked_for', 'wanted']]));
    await vault.folder.write({ '.grove/vault.yaml': 'garden:\n  leave_out: ["**/*.md", "*.md"]\n' });
    await vault.opened.vault.reconcile();
    expect(await vault.ok('vault_status', { mode: 'digest' })).toMatchObject({ left_out: 8, attention: [] });
  });

  it('refuses what it does not take', async () => {
    expect(await vault.fail('vault_status', { mode: 'digest', path: 'Old' })).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('"path" is for mode health or history or graph'),
    });
  });
});
