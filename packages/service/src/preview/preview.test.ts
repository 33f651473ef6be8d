import { type GivenTrailRules, parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import type { TrailPreview } from './contract.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    'Garden/Beans.md':
      '---\ntags: [garden/vegetables]\n---\nSown with the money of [[Salary talk]].\nLike Aunt Hilda said, and ![[Plot|the plan]].\n',
    'Garden/Peas.md': '---\ntags: [garden]\n---\nBeside the Beans.\nAfter the Salary Talk with the boss.\n',
    'Garden/Diary.md': '---\ntags: [garden]\nprivate: true\n---\nSorrow.\n',
    'Garden/Broken.md': '---\ntags: [garden\n---\n#garden\n',
    'Garden/Plot.md': 'No tag here.\n',
    'Work/Salary talk.md': '---\ntype: meeting\n---\nMoney.\n',
    'People/Hilda Brown.md': '---\ntype: person\naliases: [Aunt Hilda]\n---\nFamily.\n',
  });
});
afterAll(() => vault.close());

function preview(rules: GivenTrailRules): TrailPreview {
  return vault.opened.preview(parseTrailRules(rules, { types: vault.opened.noteTypes() }));
}

describe('the preview of a trail', () => {
  it('shows what a consumer sees, and how much it does not', () => {
    const { visible, hidden, remarks } = preview({ allowTags: ['garden'] });
    expect(visible).toEqual([{ path: 'Garden/Beans.md' }, { path: 'Garden/Peas.md' }]);
    expect([hidden, remarks]).toEqual([5, []]);
  });

  it.each([
    ['Beans', { allowTags: ['garden'] }, true, 'It fits the tags that are allowed, and nothing denies it.'],
    ['Beans', { denyPaths: ['Work'] }, true, 'Nothing denies it.'],
    ['Diary', { allowTags: ['garden'] }, false, 'Its frontmatter says "private", which no trail shows.'],
    [
      'Broken',
      { allowTags: ['garden'] },
      false,
      'Its frontmatter cannot be read, so that nobody knows what it says.',
    ],
    ['Plot', { allowTags: ['garden'] }, false, 'It has none of the tags that are allowed: "garden".'],
    [
      'Peas',
      { allowTags: ['garden'], denyPaths: ['garden'] },
      false,
      'It lies in "garden", which is denied.',
    ],
    [
      'Peas',
      { allowPaths: ['Work', 'People'] },
      false,
      'It lies in none of the paths that are allowed: "Work", "People".',
    ],
    [
      'Peas',
      { denyTags: ['Garden'] },
      false,
      'It has the tag "Garden", or one nested in it, which is denied.',
    ],
    ['Aunt Hilda', { denyTypes: ['Person'] }, false, 'It is of the type "Person", which is denied.'],
    [
      'Aunt Hilda',
      { allowTypes: ['meeting'] },
      false,
      'It is of none of the types that are allowed: "meeting".',
    ],
  ] as const)('says why %s is in or out of %j', (name, rules, visible, reason) => {
    expect(preview(rules).verdictOf(name)).toMatchObject({ visible, reason });
  });

  it('knows no verdict on what is not there', () => {
    expect(preview({ allowTags: ['garden'] }).verdictOf('Nothing.md')).toBeNull();
  });

  it('warns where what is shown names what is not: by link, embed, title, alias', async () => {
    const { warnings, complete } = await preview({ allowTags: ['garden'] }).warnings();
    expect(complete).toBe(true);
    expect(warnings).toEqual([
      { path: 'Garden/Beans.md', line: 4, text: 'Salary talk', how: 'link', names: 'Work/Salary talk.md' },
      { path: 'Garden/Beans.md', line: 5, text: 'Plot', how: 'embed', names: 'Garden/Plot.md' },
      { path: 'Garden/Beans.md', line: 5, text: 'Aunt Hilda', how: 'alias', names: 'People/Hilda Brown.md' },
      { path: 'Garden/Peas.md', line: 5, text: 'Salary Talk', how: 'title', names: 'Work/Salary talk.md' },
    ]);
    expect(await preview({ allowTags: ['garden'] }).warnings(2)).toMatchObject({ complete: false });
    expect(await preview({ allowPaths: ['**'] }).warnings()).toEqual({ warnings: [], complete: true });
  });

  it('tells of rules that do nothing here', () => {
    const { remarks } = preview({
      allowTags: ['gardn'],
      denyPaths: ['Works', 'Work'],
      allowPaths: ['Garden/**'],
    });
    expect(remarks).toEqual([
      'No note has the tag "gardn".',
      'Nothing lies at "Works".',
      'The trail shows no note.',
    ]);
  });

  it('lets types be named that the vault has, and no others', () => {
    expect(vault.opened.noteTypes()).toEqual(['person', 'meeting']);
    expect(() => preview({ allowTypes: ['persn'] })).toThrow(
      expect.objectContaining({
        code: 'bad_rule',
        message: expect.stringContaining('did you mean "person"?'),
      }),
    );
  });
});
