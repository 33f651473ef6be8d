import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, type SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { begun, engineOver } from '../testing/opened-engine.ts';
import { change, committed, fetched, filesOf, openedOver, pulled, twoSides } from '../testing/two-sides.ts';
import { notesOf } from './notes-of.ts';

/** Every text that the branch has ever had, in one. */
function everCommitted(git: SystemGit): string {
  return git.run('log', '-p', '--text', '--format=%s');
}

describeWithPrograms('a pull from a remote that means ill', ['git'], () => {
  it('commits no file that nobody gave to git, whatever name it guesses', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    const own = { '.obsidian/ai/data.json': 'key: sk-MINE\n', 'Diary.md': 'secret words\n' };
    change(vault.root, own);
    committed(sides.theirs, { '.obsidian/ai/data.json': 'key:\n', 'Diary.md': 'x\n', 'B.md': 'b\n' });
    const { conflicts } = await pulled(vault, sides.theirs);
    expect(conflicts).toMatchObject([
      { path: '.obsidian/ai/data.json', why: 'kinds' },
      { path: 'Diary.md', why: 'kinds' },
    ]);
    expect(filesOf(vault.root)).toMatchObject({ ...own, 'B.md': 'b\n' });
    for (const { saved } of conflicts) expect(existsSync(join(vault.root, saved!))).toBe(true);
    expect(everCommitted(sides.ours)).not.toMatch(/sk-MINE|secret words/);
  });

  it('commits no file that was ignored, when it takes the rule away first', async () => {
    const sides = twoSides({ '.gitignore': '*.env\n' });
    const vault = await openedOver(sides);
    change(vault.root, { 'x.env': 'PW=hunter2\n' });
    committed(sides.theirs, { '.gitignore': null });
    await pulled(vault, sides.theirs);
    for (const text of ['PW=1\n', 'PW=2\n']) {
      committed(sides.theirs, { 'x.env': text });
      expect((await pulled(vault, sides.theirs)).conflicts).toMatchObject([{ path: 'x.env', why: 'kinds' }]);
    }
    expect(vault.text('x.env')).toBe('PW=hunter2\n');
    expect(everCommitted(sides.ours)).not.toContain('hunter2');
  });

  it('leaves ignored what was ignored here when it takes the rules away', async () => {
    const rules = 'Private/\n* draft?.md\n!Open draft1.md\n';
    const sides = twoSides({ '.gitignore': rules, 'Deep/.gitignore': 'x.md\n' });
    const vault = await openedOver(sides);
    const own = { 'Private/Deep/P.md': 'p\n', 'My [1] draft2.md': 'd\n', 'Deep/x.md': 'x\n' };
    change(vault.root, { ...own, 'Open draft1.md': 'o\n' });
    committed(sides.theirs, { '.gitignore': '# nothing\n', 'Deep/.gitignore': null });
    await pulled(vault, sides.theirs);
    expect(vault.problems).toMatchObject([{ message: expect.stringContaining('/Private/') }]);
    await vault.engine.commitOutside(notesOf([...Object.keys(own), 'Open draft1.md']));
    await vault.engine.settled();
    // One that is new in the folder is ignored as well, and the exact names say nothing of others.
    change(vault.root, { 'Private/New.md': 'n\n', 'My 1 draft2.md': 'other\n' });
    const untracked = sides.ours.run('status', '--porcelain', '--untracked-files=all');
    expect(untracked).toBe('?? "My 1 draft2.md"\n');
    expect(sides.ours.run('ls-files')).toBe('.gitignore\nOpen draft1.md\n');
  });

  it.each([
    ['a name with "!"', { '.gitignore': '!P.md\n' }],
    ['a rule below', { '.gitignore': null, 'Deep/.gitignore': '!P.md\n' }],
  ])('is refused where an ignored note would be given away by %s', async (_, files) => {
    const sides = twoSides({ '.gitignore': 'P.md\n', 'Deep/A.md': 'a\n' });
    const vault = await openedOver(sides);
    change(vault.root, { 'P.md': 'p\n', 'Deep/P.md': 'p\n' });
    committed(sides.theirs, files);
    await expect(pulled(vault, sides.theirs)).rejects.toMatchObject({ code: 'sync_unsupported' });
    expect(vault.text('.gitignore')).toBe('P.md\n');
  });

  it('is refused where a note would no longer pass its filter on the way to git', async () => {
    const sides = twoSides({ '.gitattributes': 'Private/** filter=git-crypt\n', 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    change(vault.root, { 'Private/P.md': 'p\n' });
    committed(sides.theirs, { '.gitattributes': null });
    await expect(pulled(vault, sides.theirs)).rejects.toThrow(/"Private\/P.md" here, which passes a filter/);
    committed(sides.theirs, { '.gitattributes': 'Private/** filter=git-crypt\n*.sh text\n' });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward' });
  });

  it('joins the notes of a folder that has no commit yet, and nothing else of it', async () => {
    const { theirs } = twoSides({ 'A.md': 'a\n', 'x.json': '{}\n', 'Ignored.md': 'theirs\n' });
    const vault = await engineOver(begun({}));
    change(vault.root, { '.git/info/exclude': 'Ignored.md\n', 'A.md': 'mine\n' });
    change(vault.root, { 'x.json': '{"mine": 1}\n', 'Ignored.md': 'mine too\n' });
    const { conflicts } = await vault.engine.pull({ theirs: fetched(vault.git, theirs), remote: 'origin' });
    expect(conflicts).toMatchObject([
      { path: 'A.md', why: 'lines' },
      { path: 'Ignored.md', why: 'kinds' },
      { path: 'x.json', why: 'kinds' },
    ]);
    expect(vault.git.run('show', 'HEAD:A.md')).toBe('mine\n');
    expect(everCommitted(vault.git)).not.toMatch(/"mine": 1|mine too/);
  });

  it('is refused where a few objects make more paths than any vault has, and lets others have their turn', async () => {
    const vault = await engineOver(begun({ 'A.md': 'a\n' }));
    const { git } = vault;
    let tree = git.feed('x\n', 'hash-object', '-w', '--stdin').trim();
    for (let level = 0; level < 12; level += 1) {
      const kind = level === 0 ? '100644 blob' : '040000 tree';
      const lines = Array.from({ length: 10 }, (_, at) => `${kind} ${tree}\td${at}\n`);
      tree = git.feed(lines.join(''), 'mktree').trim();
    }
    const theirs = git.run('commit-tree', tree, '-p', 'HEAD', '-m', 'Bomb').trim();
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await expect(vault.engine.pull({ theirs, remote: 'origin' })).rejects.toMatchObject({
      code: 'sync_unsupported',
    });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'a\n' });
  });

  it('is refused where trees lie deeper than any path goes', async () => {
    const vault = await engineOver(begun({ 'A.md': 'a\n' }));
    const { git } = vault;
    const blob = git.feed('x\n', 'hash-object', '-w', '--stdin').trim();
    const name = 'd'.repeat(250);
    let tree = git.feed(`100644 blob ${blob}\tx\n`, 'mktree').trim();
    for (let level = 0; level < 20; level += 1)
      tree = git.feed(`040000 tree ${tree}\t${name}\n`, 'mktree').trim();
    const theirs = git.run('commit-tree', tree, '-p', 'HEAD', '-m', 'Deep').trim();
    await expect(vault.engine.pull({ theirs, remote: 'origin' })).rejects.toThrow(/that long/);
  });

  it('keeps what it takes for its own out of the trash of the vault', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    committed(sides.theirs, { '.trash/2026-01-01T00-00-00-abcdef/Evil.md': 'evil\n', 'B.md': 'b\n' });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward', conflicts: [] });
    expect(vault.problems).toMatchObject([{ message: expect.stringContaining('lies in the trash') }]);
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'a\n', 'B.md': 'b\n' });
    expectSound(sides.ours);
    // A later pull does not take it for removed here.
    committed(sides.theirs, { '.trash/2026-01-01T00-00-00-abcdef/Evil.md': 'worse\n' });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward', conflicts: [] });
    committed(sides.theirs, { '.trash/2026-01-01T00-00-00-abcdef/Evil.md': null });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward', conflicts: [] });
    expectSound(sides.ours);
  });

  it('ends when it is called off, and changes nothing', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const off = new AbortController();
    const vault = await openedOver(sides, {
      step: (step) => {
        if (step === 'pull_stored') off.abort(new Error('called off'));
      },
    });
    committed(sides.theirs, { 'A.md': 'b\n' });
    const theirs = fetched(sides.ours, sides.theirs);
    const request = { theirs, remote: 'origin', signal: off.signal };
    await expect(vault.engine.pull(request)).rejects.toThrow('called off');
    expect(vault.text('A.md')).toBe('a\n');
    await expect(vault.engine.pull(request)).rejects.toThrow('called off');
    expect(await vault.engine.pull({ theirs, remote: 'origin' })).toMatchObject({ kind: 'fast_forward' });
  });
});
