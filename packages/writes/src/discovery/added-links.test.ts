import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addedLinks, takeBack } from './added-links.ts';

const FORMS: readonly ((name: string) => string)[] = [
  (name) => `[[${name}]]`,
  (name) => `[[Folder/Note|${name}]]`,
  (name) => `[[Note\\|${name}]]`,
  (name) => `[${name}](../a%20b.md)`,
  (name) => `[${name}]([[Page of it]])`,
];
const gap = fc.constantFrom(' ', '\n', ' [[Old|x]] ', ', ', ' | ', '\r\n- ', ' [old](x.md) ', '');

it('links that were added are found, and taken back to the byte', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(gap, fc.nat(FORMS.length), fc.constantFrom('Ada', '園芸', "o'clock", 'x y')), {
        maxLength: 12,
      }),
      gap,
      (parts, end) => {
        let [before, after] = ['', ''];
        const links: string[] = [];
        for (const [at, [space, form, word]] of parts.entries()) {
          // Each note is linked once: no two links are the same.
          const name = `${word} ${at}`;
          const link = FORMS[form]?.(name) ?? name;
          if (link !== name) links.push(link);
          before += space + name;
          after += space + link;
        }
        const found = addedLinks(before + end, after + end);
        expect(found.map(({ link }) => link)).toEqual(links);
        const back = takeBack(after + end, found);
        expect([back.text, back.taken.length, back.left]).toEqual([before + end, links.length, []]);
      },
    ),
    { numRuns: Number(process.env.GROVE_TEST_RUNS ?? 200) },
  );
});

it('what differs otherwise ends the search, and takes time linear in the texts', () => {
  expect(addedLinks('a b', 'a [[b]] c')).toMatchObject([{ link: '[[b]]' }]);
  expect(addedLinks('a b', 'a c')).toEqual([]);
  expect(addedLinks('[', '['.repeat(200_000))).toEqual([]);
  expect(addedLinks('x'.repeat(200_000), `[${'x'.repeat(200_000)}`)).toEqual([]);
});
