import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NoteRow } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const DIALECTS = ['obsidian', 'plain', 'foam', 'logseq'] as const;

const FOLDERS = ['', 'a', 'a/b', 'c d'];
const NAMES = ['Plan', 'Note', "Ada's plan", 'Über 100', 'x (1)'];
const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => (folder === '' ? `${name}.md` : `${folder}/${name}.md`));

/** Links of every form to what may be there, by every kind of path. */
const target = fc
  .tuple(path, fc.constantFrom('name', 'root', 'up', 'dot', 'slash', 'end'), fc.boolean())
  .map(([to, form, keepsEnding]) => {
    const whole = keepsEnding ? to : to.slice(0, -3);
    const name = whole.slice(whole.lastIndexOf('/') + 1);
    return { name, root: whole, up: `../${whole}`, dot: `./${name}`, slash: `/${whole}`, end: whole }[form];
  });
const link = fc
  .tuple(
    target,
    fc.constantFrom('wiki', 'label', 'heading', 'embed', 'markdown', 'encoded', 'angle', 'image'),
  )
  .map(([to, form]) => {
    const encoded = to.replaceAll(/[ ()%]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
    return {
      wiki: `[[${to}]]`,
      label: `[[${to}|a label]]`,
      heading: `[[${to}#Goals]]`,
      embed: `![[${to}]]`,
      markdown: `[text](${encoded})`,
      encoded: `[text](${encodeURI(to).replaceAll('(', '%28').replaceAll(')', '%29')}#goals "title")`,
      angle: `[text](<${to}>)`,
      image: `![text](${encoded})`,
    }[form];
  });
const note = fc
  .tuple(fc.option(target), fc.array(link, { maxLength: 5 }), fc.option(target))
  .map(([up, links, definition]) =>
    [
      ...(up === null ? [] : ['---', `up: "[[${up}]]"`, '---']),
      ...links.map((one, at) => `- word ${at} ${one} end`),
      ...(definition === null ? [] : ['', '[text][ref]', '', `[ref]: <${definition}>`]),
      '',
    ].join('\n'),
  );

/** Where each link of the vault leads, the notes by their ids: a move keeps none of them, so by their first words. */
function links(vault: TestVault, nameOf: (row: NoteRow) => string): Map<string, (string | null)[]> {
  const view = vault.opened.vault.ownerView();
  return new Map(
    view
      .notes()
      .map((row) => [nameOf(row), view.links(row).map(({ to }) => (to === null ? null : nameOf(to)))]),
  );
}

describe('every link leads to the same note before and after a move', () => {
  it.each(DIALECTS)('%s', async (dialect) => {
    const vault = await openTestVault(
      { '.grove/vault.yaml': `dialect: ${dialect}\n`, 'Other/Bystander.md': 'x\n' },
      { writes: true },
    );
    const view = vault.opened.vault.ownerView();
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.tuple(path, note), {
            minLength: 2,
            maxLength: 7,
            selector: ([at]) => at.toLowerCase(),
          }),
          path,
          fc.nat(),
          async (notes, to, which) => {
            const paths = notes.map(([at]) => at);
            const from = paths[which % paths.length] ?? '';
            fc.pre(!paths.includes(to));
            for (const row of view.notes()) rmSync(join(vault.folder.root, row.path));
            await vault.folder.write(Object.fromEntries(notes));
            await vault.opened.vault.reconcile();
            expect(view.size).toBe(notes.length);
            const before = links(vault, (row) => (row.path === from ? 'moved' : row.path));
            await vault.ok('write_note', { action: 'move', path: from, to, if_hash: '*' });
            const after = links(vault, (row) => (row.path === to ? 'moved' : row.path));
            expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
            // What led nowhere may find the note at its new place, as a new note would be found.
            for (const [name, led] of before)
              expect(
                after.get(name)?.map((now, at) => (led[at] === null && now === 'moved' ? null : now)),
              ).toEqual(led);
          },
        ),
        { numRuns: Number(process.env.GROVE_TEST_RUNS ?? 40) },
      );
    } finally {
      await vault.close();
    }
  });
});
