import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseTree } from '../../objects/tree.ts';
import { buildCommit, type TreeSource } from './build-commit.ts';
import { objectId } from './object-id.ts';
import { findEntry, spliceTree } from './tree-splice.ts';

const BLOB = 'ab'.repeat(20);
const NAMES = ['a', 'a-b', 'a.b', 'a0', 'aa', 'b', 'B', 'é', 'e\u0301', 'z z', '[x]', 'a\n'];

const entries = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    mode: fc.constantFrom(0o100644, 0o100755, 0o120000, 0o40000),
  }),
  { selector: ({ name }) => name },
);
const edits = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    entry: fc.option(fc.record({ mode: fc.constantFrom(0o100644, 0o40000), oid: fc.constant(BLOB) })),
  }),
  { selector: ({ name }) => name },
);

describeWithPrograms('a tree', ['git'], () => {
  it('is what git makes of the same entries, whatever is set and taken out', () => {
    const git = SystemGit.init();
    fc.assert(
      fc.property(entries, edits, (before, changes) => {
        const old = before.map(({ name, mode }) => ({ name, entry: { mode, oid: BLOB } }));
        const tree = spliceTree(spliceTree(Buffer.alloc(0), old), changes);
        const expected = new Map(before.map(({ name, mode }) => [name, mode]));
        for (const { name, entry } of changes) {
          if (entry === null) expected.delete(name);
          else expected.set(name, entry.mode);
        }
        const listing = [...expected].map(([name, mode]) => {
          const type = mode === 0o40000 ? 'tree' : 'blob';
          return `${mode.toString(8).padStart(6, '0')} ${type} ${BLOB}\t${name}\0`;
        });
        const byGit = git.feed(listing.join(''), 'mktree', '--missing', '-z').trim();
        expect(objectId({ type: 'tree', data: tree })).toBe(byGit);
        for (const { name, mode, oid } of parseTree(tree)) {
          expect(findEntry(tree, name)).toEqual({ name, mode, oid });
        }
      }),
      { numRuns: 80 },
    );
  });

  it('that another program left out of order is searched, and put in order when it is changed', () => {
    const entry = { mode: 0o100644, oid: BLOB };
    const one = (name: string) => spliceTree(Buffer.alloc(0), [{ name, entry }]);
    const folder = spliceTree(Buffer.alloc(0), [{ name: 'c', entry: { mode: 0o40000, oid: BLOB } }]);
    const tree = Buffer.concat([one('z'), folder, one('c.md'), one('e\u0301'), one('a')]);
    for (const name of ['z', 'c', 'c.md', 'a', 'e\u0301']) expect(findEntry(tree, name)?.name).toBe(name);
    expect(findEntry(tree, 'é')?.name).toBe('e\u0301');
    expect(findEntry(tree, 'b')).toBeNull();
    const spliced = spliceTree(tree, [
      { name: 'b', entry },
      { name: 'z', entry: null },
    ]);
    expect(parseTree(spliced).map(({ name }) => name)).toEqual(['a', 'b', 'c.md', 'c', 'e\u0301']);
  });

  it('names what is new in NFC where the disk asks for it, and keeps what is there', async () => {
    const old = spliceTree(Buffer.alloc(0), [{ name: 'e\u0301.md', entry: { mode: 0o100644, oid: BLOB } }]);
    const source: TreeSource = {
      prefix: '',
      readTree: async () => old,
      fold: null,
      precompose: true,
      fileMode: true,
      symlinks: true,
    };
    const who = { name: 'Ada', email: 'a@b', time: 0, offset: 0 };
    const changes = ['é.md', 'u\u0308.md', 'o\u0308/x.md'].map((path) => ({ path, bytes: Buffer.from('x') }));
    const request = { parent: BLOB, changes, author: who, committer: who, message: 'm' };
    const built = await buildCommit(request, source, BLOB);
    expect(built.changes.map(({ gitPath }) => gitPath).toSorted()).toEqual(
      ['e\u0301.md', 'ö/x.md', 'ü.md'].toSorted(),
    );
    const links = {
      ...source,
      symlinks: false,
      readTree: async () => spliceTree(old, [{ name: 'l', entry: { mode: 0o120000, oid: BLOB } }]),
    };
    const kept = await buildCommit(
      { ...request, changes: [{ path: 'l', bytes: Buffer.from('a') }] },
      links,
      BLOB,
    );
    expect(kept.changes[0]!.mode).toBe('120000');
  });
});
