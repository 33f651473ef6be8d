import { createHash } from 'node:crypto';
import { Slices } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedNotes } from './changed-notes.ts';

/** Trees in memory, by the ids that git gives them: what a repository would hold, without one. */
class TreeStore {
  readonly trees = new Map<string, Buffer>();
  reads = 0;

  readonly read = async (oid: string): Promise<Buffer> => {
    this.reads++;
    return this.trees.get(oid) ?? Buffer.alloc(0);
  };

  put(entries: readonly (readonly [mode: string, name: string | Buffer, oid: string])[]): string {
    const parts = entries.flatMap(([mode, name, oid]) => [
      Buffer.from(`${mode} `),
      Buffer.from(name as string),
      Buffer.from([0]),
      Buffer.from(oid, 'hex'),
    ]);
    const data = Buffer.concat(parts);
    const oid = createHash('sha1').update(`tree ${data.length}\0`).update(data).digest('hex');
    this.trees.set(oid, data);
    return oid;
  }
}

const blob = (digit: number) => String(digit).repeat(40);
const slices = () => new Slices(new AbortController().signal);

describe('changedNotes', () => {
  it('enters only folders that differ', async () => {
    const store = new TreeStore();
    const same = store.put([['100644', 'Same.md', blob(1)]]);
    const changed = (digit: number) => store.put([['100644', 'Note.md', blob(digit)]]);
    const root = (digit: number) =>
      store.put([
        ...Array.from({ length: 500 }, (_, i) => ['40000', `a${String(i).padStart(3, '0')}`, same] as const),
        ['40000', 'b', changed(digit)],
      ]);
    const [before, after] = [root(2), root(3)];
    expect(await changedNotes(store.read, after, [before], slices())).toEqual([
      { path: 'b/Note.md', kind: 'modified', blob: blob(3) },
    ]);
    expect(store.reads).toBe(4);
    store.reads = 0;
    expect(await changedNotes(store.read, after, [before, after], slices())).toEqual([]);
    expect(store.reads).toBe(0);
  });

  it('tells a note from a folder, a link or a submodule of its name', async () => {
    const store = new TreeStore();
    const folder = store.put([['100644', 'In.md', blob(1)]]);
    const of = (mode: string, oid: string) => store.put([[mode, 'X.md', oid]]);
    const note = of('100644', blob(1));
    const diff = (tree: string, parent: string) => changedNotes(store.read, tree, [parent], slices());
    const added = { path: 'X.md', kind: 'added', blob: blob(1) };
    const deleted = { ...added, kind: 'deleted' };
    const inside = { path: 'X.md/In.md', blob: blob(1) };
    expect(await diff(of('40000', folder), note)).toEqual([deleted, { ...inside, kind: 'added' }]);
    expect(await diff(note, of('40000', folder))).toEqual([added, { ...inside, kind: 'deleted' }]);
    for (const mode of ['120000', '160000']) {
      expect(await diff(of(mode, blob(1)), note), mode).toEqual([deleted]);
      expect(await diff(note, of(mode, blob(1))), mode).toEqual([added]);
    }
    expect(await diff(of('100755', blob(1)), note)).toEqual([]);
  });

  it('passes over names that no note can have', async () => {
    const store = new TreeStore();
    const inner = store.put([['100644', 'In.md', blob(1)]]);
    const tree = store.put([
      ['40000', '.obsidian', inner],
      ['100644', '.hidden.md', blob(1)],
      ['100644', '.md', blob(1)],
      ['100644', Buffer.from([0xff, 0x2e, 0x6d, 0x64]), blob(1)],
      ['100644', 'A.MD', blob(1)],
      ['100644', 'A.md.txt', blob(1)],
      ['100644', `${'x'.repeat(1100)}.md`, blob(1)],
      ['100644', 'md', blob(1)],
    ]);
    expect((await changedNotes(store.read, tree, [], slices())).map(({ path }) => path)).toEqual(['A.MD']);
  });

  it('ends on a tree that holds itself over and over', async () => {
    const store = new TreeStore();
    // Ten to the tenth folders, none of which holds a note.
    let bomb = store.put([['100644', 'image.png', blob(1)]]);
    for (let depth = 0; depth < 10; depth++) {
      bomb = store.put(Array.from({ length: 10 }, (_, i) => ['40000', `f${i}`, bomb] as const));
    }
    await expect(changedNotes(store.read, bomb, [], slices())).rejects.toMatchObject({
      code: 'repository_unreadable',
    });
    let deep = store.put([['100644', 'A.md', blob(1)]]);
    for (let depth = 0; depth < 20_000; depth++) deep = store.put([['40000', 'deep', deep]]);
    expect(await changedNotes(store.read, deep, [], slices())).toEqual([]);
  });

  it('survives any bytes in place of a tree', async () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
    const entries = fc
      .array(
        fc.tuple(fc.constantFrom('100644', '40000'), fc.constantFrom('a', 'b.md', 'b', 'a.md'), fc.nat(9)),
      )
      .map((list) =>
        Buffer.concat(
          list.flatMap(([mode, name, n]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(blob(n), 'hex')]),
        ),
      );
    const either = fc.oneof(bytes, entries);
    await fc.assert(
      fc.asyncProperty(either, either, async (tree, parent) => {
        const read = async (oid: string) =>
          oid === blob(1) ? tree : oid === blob(2) ? parent : Buffer.alloc(0);
        try {
          await changedNotes(read, blob(1), [blob(2)], slices());
        } catch (error) {
          expect(error).toMatchObject({ code: 'repository_unreadable' });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('stops when it is called off', async () => {
    const store = new TreeStore();
    let tree = store.put([['100644', 'image.png', blob(1)]]);
    for (let depth = 0; depth < 10; depth++) {
      tree = store.put(Array.from({ length: 10 }, (_, i) => ['40000', `f${i}`, tree] as const));
    }
    const stop = new AbortController();
    const work = changedNotes(store.read, tree, [], new Slices(stop.signal));
    setImmediate(() => stop.abort(new Error('called off')));
    await expect(work).rejects.toThrow('called off');
  });
});
