import { mkdirSync } from 'node:fs';
import { parseVaultPath } from '@grove/core';
import { type History, locateGitDir, openHistory } from '@grove/history';
import { describeWithPrograms } from '@grove/testing';
import { allowAll, parsePathRule } from '@grove/vault';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { openTrustedWords } from '../engine/commit/trusted-words.ts';
import type { WriteAuthor } from '../engine/contract.ts';
import { compileWritePolicy } from '../notes/write-policy.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { KEY, type OpenedEngine, openedEngine, wholeWrite } from '../testing/opened-engine.ts';
import { type RevertOutcome, type RevertWish, revertKey } from './revert-key.ts';

const OWNER: WriteAuthor = { kind: 'owner', id: 'owner', name: 'owner', client: null };
const OTHER: WriteAuthor = { kind: 'key', id: 'k2', name: 'Other', client: null };
const ALL = { key: 'key:k1', since: 0, dryRun: false };

interface Reverting {
  readonly vault: OpenedEngine;
  readonly history: History;
  by(author: WriteAuthor, path: string, text: string | null): Promise<void>;
  person(path: string, text: string | null): Promise<void>;
  revert(wish?: Partial<RevertWish>, deny?: string): Promise<RevertOutcome>;
}

async function opened(files: Readonly<Record<string, string>>): Promise<Reverting> {
  const vault = await openedEngine(files);
  const dir = memoryFolder('history');
  mkdirSync(dir, { recursive: true });
  const history = await openHistory({ location: (await locateGitDir(vault.root))!, dir });
  onTestFinished(() => history.close());
  const trusted = openTrustedWords(vault.stateDir);
  return {
    vault,
    history,
    by: async (author, path, text) => {
      await vault.engine.apply(wholeWrite(path, text, { author }));
    },
    person: async (path, text) => {
      await vault.engine.settled();
      if (text === null) vault.git.remove(path);
      else vault.git.write(path, text);
    },
    revert: async (wish = {}, deny) => {
      const rules = { ...allowAll, denyPaths: deny === undefined ? [] : [parsePathRule(deny)] };
      const policy = compileWritePolicy([rules], true);
      const parts = { root: vault.root, history, trusted, engine: vault.engine, author: OWNER, policy };
      return await revertKey(parts, { ...ALL, ...wish });
    },
  };
}

describeWithPrograms('undoing what one key did', ['git'], () => {
  it('brings back what was changed and removed, takes out what was made, in one commit', async () => {
    const { vault, by, revert } = await opened({ 'A.md': 'a\n', 'Gone.md': 'gone\n', 'B.md': 'b\n' });
    await by(KEY, 'A.md', 'a1\n');
    await by(KEY, 'A.md', 'a2\n');
    await by(KEY, 'Gone.md', null);
    await by(KEY, 'New/Note.md', 'new\n');
    await by(OTHER, 'B.md', 'b by another key\n');
    const dry = await revert({ dryRun: true });
    expect(dry).toMatchObject({ commits: 4, commit: null, left: [] });
    expect(vault.text('A.md')).toBe('a2\n');
    const done = await revert();
    expect({ ...done, commit: null }).toEqual(dry);
    expect([...done.undone].sort((a, b) => (a.path < b.path ? -1 : 1))).toMatchObject([
      { path: 'A.md', change: 'changed', diff: expect.stringContaining('-a2\n+a\n') },
      { path: 'Gone.md', change: 'restored' },
      { path: 'New/Note.md', change: 'removed' },
    ]);
    expect(vault.text('A.md')).toBe('a\n');
    expect(vault.text('Gone.md')).toBe('gone\n');
    expect(vault.text('New/Note.md')).toBeNull();
    expect(vault.text('B.md')).toBe('b by another key\n');
    await vault.engine.settled();
    expect(vault.git.run('log', '-1', '--format=%H %an %s').trim()).toBe(
      `${done.commit} owner Undo what key:k1 wrote`,
    );
    expectSound(vault.git);
    // Again: there is nothing left to undo.
    expect(await revert()).toMatchObject({ undone: [], left: [], commit: null });
  });

  it("keeps a person's words: merged where they stand apart, else the note is left and named", async () => {
    const lines = '1\n2\n3\n4\n5\n6\n7\n8\n';
    const { vault, by, person, revert } = await opened({ 'Apart.md': lines, 'Same.md': lines });
    await by(KEY, 'Apart.md', lines.replace('2\n', 'two by the key\n'));
    await by(KEY, 'Same.md', lines.replace('2\n', 'two by the key\n'));
    await by(KEY, 'Made.md', 'made by the key\n');
    await person('Apart.md', `${lines.replace('2\n', 'two by the key\n')}9 by a person\n`);
    await person('Same.md', lines.replace('2\n', 'two by the key, and a person\n'));
    await person('Made.md', 'made by the key\nand a person\n');
    const { undone, left, commit } = await revert();
    expect(undone.map(({ path }) => path)).toEqual(['Apart.md']);
    expect(vault.text('Apart.md')).toBe(`${lines}9 by a person\n`);
    expect(vault.text('Same.md')).toContain('two by the key, and a person');
    expect(vault.text('Made.md')).toBe('made by the key\nand a person\n');
    expect([...left].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'Made.md', reason: 'somebody changed the note since it was made' },
      { path: 'Same.md', reason: 'somebody changed the same lines since' },
    ]);
    expect(commit).not.toBeNull();
  });

  it("brings a person's words back that the key wrote over, whatever is left of an older change", async () => {
    const { vault, by, person, revert } = await opened({ 'A.md': 'begin\n' });
    await by(KEY, 'Made.md', 'by the key\n');
    await person('Made.md', 'by the key\n\nby a person\n');
    await by(KEY, 'Made.md', 'all new\n');
    expect((await revert()).left).toMatchObject([{ path: 'Made.md' }]);
    expect(vault.text('Made.md')).toBe('by the key\n\nby a person\n');
    await by(KEY, 'A.md', 'begin\nkey\n');
    await person('A.md', 'person\nbegin\nkey\n');
    // The key takes the person's line out again, and with it its own: the note is what it was at first.
    await by(KEY, 'A.md', 'begin\n');
    await revert();
    expect(vault.text('A.md')).toBe('person\nbegin\n');
  });

  it('believes only what Grove signed, and goes no further back than it was told', async () => {
    const { vault, by, revert } = await opened({ 'A.md': 'a\n', 'B.md': 'b\n' });
    await vault.engine.settled();
    vault.git.write('B.md', 'b by a person\n');
    vault.git.run('add', '-A');
    const message = 'Write B.md\n\nGrove-Key: key:k1\nGrove-Operation: write\nGrove-Mac: 00';
    vault.git.run('commit', '-qm', message, '--author', 'Helper <key.k1@grove.invalid>');
    await by(KEY, 'A.md', 'a1\n');
    const between = Number(vault.git.run('log', '-1', '--format=%at')) * 1000 + 500;
    await by(KEY, 'A.md', 'a2\n');
    expect(await revert({ since: between })).toMatchObject({ commits: 1 });
    expect(vault.text('A.md')).toBe('a1\n');
    expect(await revert({ key: 'key:k9' })).toMatchObject({ commits: 0, undone: [], commit: null });
    await revert();
    expect(vault.text('A.md')).toBe('a\n');
    expect(vault.text('B.md')).toBe('b by a person\n');
  });

  it('undoes a move whole or not at all, and leaves what the policy denies', async () => {
    const { vault, by, person, revert } = await opened({ 'A.md': 'a\n', 'B.md': 'b\n', 'Shut/C.md': 'c\n' });
    const move = (from: string, to: string) =>
      vault.engine.apply({
        paths: [parseVaultPath(from), parseVaultPath(to)],
        author: KEY,
        idempotency: null,
        plan: (files) => ({
          changes: [
            { path: parseVaultPath(from), after: null },
            { path: parseVaultPath(to), after: files.get(parseVaultPath(from))!.bytes },
          ],
          subject: 'Move',
          trailers: { 'Grove-Operation': 'move' },
          mechanical: false,
          answer: null,
        }),
      });
    await move('A.md', 'Moved A.md');
    await move('B.md', 'Moved B.md');
    await person('Moved B.md', 'b\nby a person\n');
    await by(KEY, 'Shut/C.md', 'c by the key\n');
    const { left } = await revert({}, 'Shut');
    expect(vault.text('A.md')).toBe('a\n');
    expect(vault.text('Moved A.md')).toBeNull();
    expect(vault.text('B.md')).toBeNull();
    expect(vault.text('Moved B.md')).toBe('b\nby a person\n');
    expect(vault.text('Shut/C.md')).toBe('c by the key\n');
    expect(left.map(({ path }) => path).sort()).toEqual(['B.md', 'Moved B.md', 'Shut/C.md']);
  });

  it('never loses a line that a person wrote, whatever the two did one after the other', async () => {
    const step = fc.record({
      who: fc.constantFrom('key', 'person', 'other'),
      at: fc.integer({ min: 0, max: 6 }),
      cut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { vault, by, person, revert } = await opened({ 'A.md': '1\n2\n3\n4\n5\n' });
        for (const [index, { who, at, cut }] of steps.entries()) {
          const lines = (vault.text('A.md') ?? '').split('\n').slice(0, -1);
          const old = cut && who === 'key' ? 1 : 0;
          lines.splice(Math.min(at, lines.length), old, `${who} ${index}`);
          const text = `${lines.join('\n')}\n`;
          if (who === 'person') await person('A.md', text);
          else await by(who === 'key' ? KEY : OTHER, 'A.md', text);
        }
        const before = vault.text('A.md')!;
        const { left } = await revert();
        const after = vault.text('A.md')!;
        const ofOthers = (text: string) => text.split('\n').filter((line) => !line.startsWith('key '));
        for (const line of ofOthers(before)) expect(ofOthers(after)).toContain(line);
        if (left.length === 0) expect(after).not.toContain('key ');
        await vault.engine.settled();
        // What a person saved and nobody undid is still theirs to commit.
        vault.git.commit();
        expectSound(vault.git);
      }),
      { numRuns: Number(process.env.GROVE_TEST_RUNS ?? 12) },
    );
  });
});
