import { findBreaches } from '@grove/writes';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Loose, openTestVault } from '../../testing/opened.ts';

const RULES = `types:
  book:
    folder: Books
    required:
      author: link
      status: [open, done]
    optional:
      pages: number
  idea:
  log:
    folder: [Books/Log, Logs]
    folder_only: false
    tags_include_type: false
    required:
      day: date
`;

const note = fc
  .record({
    type: fc.constantFrom('book', 'Book', 'idea', 'log', 'other', null),
    tags: fc.subarray(['book', 'idea/new', 'x']),
    author: fc.constantFrom('"[[Ada]]"', 'Ada', null),
    status: fc.constantFrom('open', 'soon', null),
    pages: fc.constantFrom('3', 'many', null),
    Day: fc.constantFrom('2026-01-01', 'today', null),
    inline: fc.constantFrom('', '#idea', '#book/old'),
  })
  .map(({ tags, inline, ...fields }) => {
    const lines = Object.entries(fields).flatMap(([name, value]) =>
      value === null ? [] : [`${name}: ${value}`],
    );
    return `---\n${[...lines, `tags: [${tags.join(', ')}]`].join('\n')}\n---\nText ${inline}\n`;
  });
const path = fc
  .tuple(fc.constantFrom('', 'Books/', 'Books/Log/', 'Logs/'), fc.constantFrom('a', 'b', 'c', 'd'))
  .map(([folder, name]) => `${folder}${name}.md`);

it('notes that break rules are those that the check of writes finds in their text, and each call mends what it can', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(path, note, { minKeys: 4, maxKeys: 10 }), async (files) => {
      const vault = await openTestVault(
        { '.obsidian/app.json': '{}', '.grove/vault.yaml': RULES, ...files },
        { writes: true },
      );
      try {
        const { view } = vault.scope;
        const broken: string[] = [];
        for (const row of view.notes()) {
          const { note: read } = await view.read(row);
          if (findBreaches({ path: row.path, note: read }, vault.opened.vault.schema, () => true).length > 0)
            broken.push(row.path);
        }
        const diagnose = async (input = {}): Promise<Loose[]> =>
          (await vault.ok('vault_status', { mode: 'diagnostics', limit: 100, ...input })).found.find(
            ({ kind }: Loose) => kind === 'broken_rules',
          )?.findings ?? [];
        const found = await diagnose();
        expect(found.map(({ path: at }) => at)).toEqual(broken);
        for (const { path: at, why, call } of found) {
          const { error } = await vault.call('write_note', call);
          // Two notes of one name may be wanted in one folder.
          if (call.action === 'move' && error?.code !== undefined) continue;
          expect(error, `${why} ${JSON.stringify(call)}`).toBeNull();
          const left = (await diagnose()).map((one) => one.path);
          expect(left).not.toContain(at);
        }
      } finally {
        await vault.close();
      }
    }),
    { numRuns: 12, seed: 5 },
  );
});
