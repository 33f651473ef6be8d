import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import {
  change,
  committed,
  executable,
  type Files,
  fetched,
  filesOf,
  openedOver,
  pulled,
  twoSides,
} from '../testing/two-sides.ts';
import type { PullConflict } from './contract.ts';

const BINARY = (text: string) => Buffer.from(`\0${text}`);
const DAY = '(conflict DAY origin)';

interface Row {
  readonly name: string;
  readonly base: Files;
  readonly ours: Files;
  readonly theirs: Files;
  /** `DAY` stands for the day of the pull. */
  readonly after: Readonly<Record<string, string>>;
  readonly conflicts: readonly PullConflict[];
  /** Of a file that nobody gave to git: where it differs. */
  readonly untracked?: readonly PullConflict[];
}

const ROWS: readonly Row[] = [
  {
    name: 'the same change on both sides is no change',
    base: { 'A.md': 'a\n' },
    ours: { 'A.md': 'b\n' },
    theirs: { 'A.md': 'b\n' },
    after: { 'A.md': 'b\n' },
    conflicts: [],
  },
  {
    name: 'what only they changed comes, whatever it is and however its folders are named',
    base: { 'A.md': 'a\n', '.obsidian/app.json': '{}\n', 'Pläne & more/x.png': BINARY('1') },
    ours: { 'Other.md': 'o\n' },
    theirs: {
      '.obsidian/app.json': '{"a": 1}\n',
      'Pläne & more/x.png': BINARY('2'),
      '.gitignore': 'cache\n',
    },
    after: {
      'A.md': 'a\n',
      'Other.md': 'o\n',
      '.obsidian/app.json': '{"a": 1}\n',
      'Pläne & more/x.png': '\x002',
      '.gitignore': 'cache\n',
    },
    conflicts: [],
  },
  {
    name: 'a file that both made otherwise is kept twice',
    base: {},
    ours: { 'A.md': 'ours\n' },
    theirs: { 'A.md': 'theirs\n' },
    after: { 'A.md': 'ours\n', [`A ${DAY}.md`]: 'theirs\n' },
    conflicts: [{ path: 'A.md', saved: `A ${DAY}.md`, why: 'lines' }],
    untracked: [{ path: 'A.md', saved: `A ${DAY}.md`, why: 'kinds' }],
  },
  {
    name: 'a note deleted here and changed there stays deleted, and theirs is saved',
    base: { 'Deep/A.md': 'a\n' },
    ours: { 'Deep/A.md': null },
    theirs: { 'Deep/A.md': 'theirs\n' },
    after: { [`Deep/A ${DAY}.md`]: 'theirs\n' },
    conflicts: [{ path: 'Deep/A.md', saved: `Deep/A ${DAY}.md`, why: 'deleted_here' }],
  },
  {
    name: 'a note changed here and deleted there stays',
    base: { 'A.md': 'a\n' },
    ours: { 'A.md': 'ours\n' },
    theirs: { 'A.md': null },
    after: { 'A.md': 'ours\n' },
    conflicts: [{ path: 'A.md', saved: null, why: 'deleted_there' }],
  },
  {
    name: 'a note changed here and renamed there is there twice, and told',
    base: { 'A.md': 'a\n' },
    ours: { 'A.md': 'ours\n' },
    theirs: { 'A.md': null, 'B.md': 'a\n' },
    after: { 'A.md': 'ours\n', 'B.md': 'a\n' },
    conflicts: [{ path: 'A.md', saved: null, why: 'deleted_there' }],
  },
  {
    name: 'a picture that both changed is kept twice, with its extension',
    base: { 'x.tar.gz': BINARY('1') },
    ours: { 'x.tar.gz': BINARY('2') },
    theirs: { 'x.tar.gz': BINARY('3') },
    after: { 'x.tar.gz': '\x002', [`x.tar ${DAY}.gz`]: '\x003' },
    conflicts: [{ path: 'x.tar.gz', saved: `x.tar ${DAY}.gz`, why: 'binary' }],
  },
  {
    name: 'a file of settings without extension keeps its name',
    base: { '.gitignore': 'a\n' },
    ours: { '.gitignore': 'b\n' },
    theirs: { '.gitignore': 'c\n' },
    after: { '.gitignore': 'b\n', [`.gitignore ${DAY}`]: 'c\n' },
    conflicts: [{ path: '.gitignore', saved: `.gitignore ${DAY}`, why: 'lines' }],
  },
  {
    name: 'their file in the place of a folder of ours is saved beside it',
    base: { 'A.md': 'a\n' },
    ours: { 'Plan/x.md': 'x\n' },
    theirs: { Plan: 'a file\n' },
    after: { 'A.md': 'a\n', 'Plan/x.md': 'x\n', [`Plan ${DAY}`]: 'a file\n' },
    conflicts: [{ path: 'Plan', saved: `Plan ${DAY}`, why: 'kinds' }],
  },
  {
    name: 'their folder in the place of a file of ours is saved beside it',
    base: { 'A.md': 'a\n' },
    ours: { Plan: 'a file\n' },
    theirs: { 'Plan/x.md': 'x\n', 'Plan/deep/y.md': 'y\n' },
    after: { 'A.md': 'a\n', Plan: 'a file\n', [`x ${DAY}.md`]: 'x\n', [`y ${DAY}.md`]: 'y\n' },
    conflicts: [
      { path: 'Plan/deep/y.md', saved: `y ${DAY}.md`, why: 'kinds' },
      { path: 'Plan/x.md', saved: `x ${DAY}.md`, why: 'kinds' },
    ],
  },
  {
    name: 'a folder that they made of a file comes',
    base: { Plan: 'a file\n' },
    ours: { 'A.md': 'a\n' },
    theirs: { Plan: null, 'Plan/x.md': 'x\n' },
    after: { 'A.md': 'a\n', 'Plan/x.md': 'x\n' },
    conflicts: [],
  },
  {
    name: 'a file that they made of a folder comes',
    base: { 'Plan/deep/x.md': 'x\n', 'Plan/y.md': 'y\n' },
    ours: { 'A.md': 'a\n' },
    theirs: { 'Plan/deep/x.md': null, 'Plan/y.md': null, Plan: 'a file\n' },
    after: { 'A.md': 'a\n', Plan: 'a file\n' },
    conflicts: [],
  },
  {
    name: 'their folder stays out where ours changed the file that it was',
    base: { Plan: 'a file\n' },
    ours: { Plan: 'changed\n' },
    theirs: { Plan: null, 'Plan/x.md': 'x\n' },
    after: { Plan: 'changed\n', [`x ${DAY}.md`]: 'x\n' },
    conflicts: [
      { path: 'Plan', saved: null, why: 'deleted_there' },
      { path: 'Plan/x.md', saved: `x ${DAY}.md`, why: 'kinds' },
    ],
  },
  {
    name: 'names that differ in case only are two files where the disk has two',
    base: { 'Plan.md': 'a\n' },
    ours: { 'Other.md': 'o\n' },
    theirs: { 'plan.md': 'b\n' },
    after: { 'Plan.md': 'a\n', 'Other.md': 'o\n', 'plan.md': 'b\n' },
    conflicts: [],
  },
  {
    name: 'frontmatter and lists are merged as lines of text',
    base: { 'A.md': '---\ntags:\n  - a\n  - b\n---\nText\n' },
    ours: { 'A.md': '---\ntags:\n  - ours\n  - a\n  - b\n---\nText\n' },
    theirs: { 'A.md': '---\ntags:\n  - a\n  - b\n---\nText\nmore\n' },
    after: { 'A.md': '---\ntags:\n  - ours\n  - a\n  - b\n---\nText\nmore\n' },
    conflicts: [],
  },
];

/** The day of the clock of the tests stands in the names of copies. */
function withDay(text: string): string {
  return text.replaceAll(/\(conflict \d{4}-\d\d-\d\d origin/g, '(conflict DAY origin');
}

describeWithPrograms('what a pull makes of a path', ['git'], () => {
  for (const where of ['committed', 'not committed'])
    for (const row of ROWS)
      it(`${row.name}; ours ${where}`, async () => {
        const sides = twoSides({ 'Always.md': 'always\n', ...row.base });
        const vault = await openedOver(sides);
        committed(sides.theirs, row.theirs);
        if (where === 'committed') committed(sides.ours, row.ours);
        else change(vault.root, row.ours);
        const { conflicts } = await pulled(vault, sides.theirs);
        const files = filesOf(vault.root);
        expect(
          Object.fromEntries(Object.entries(files).map(([path, text]) => [withDay(path), text])),
        ).toEqual({
          'Always.md': 'always\n',
          ...row.after,
        });
        expect(
          conflicts.map(({ saved, ...rest }) => ({ ...rest, saved: saved === null ? null : withDay(saved) })),
        ).toEqual(where === 'committed' ? row.conflicts : (row.untracked ?? row.conflicts));
        // What ours had and they did not touch is not committed for it, nor what git did not know.
        const untouched = Object.keys(row.ours).filter(
          (path) => where !== 'committed' && (!(path in row.theirs) || row.untracked !== undefined),
        );
        expectSound(sides.ours, untouched);
        expect(vault.problems).toEqual([]);
      });

  it('is in the words of a commit whose outside edits come before it', async () => {
    const sides = twoSides({ 'A.md': 'a\nb\nc\n', 'x.png': BINARY('1') });
    const vault = await openedOver(sides);
    committed(sides.theirs, { 'A.md': 'a\nb\nC\n', 'x.png': null });
    change(vault.root, { 'A.md': 'A\nb\nc\n', 'Loose.md': 'stays as it is\n' });
    await pulled(vault, sides.theirs);
    expect(sides.ours.run('log', '--first-parent', '--format=%an: %s').trim().split('\n')).toEqual([
      'Grove: Merge the changes of origin',
      'outside edit: Outside edit: A.md',
      'Ada: Begin',
    ]);
    expect(sides.ours.run('show', 'HEAD^:A.md')).toBe('A\nb\nc\n');
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'A\nb\nC\n', 'Loose.md': 'stays as it is\n' });
    expectSound(sides.ours, ['Loose.md']);
  });

  it('needs no commit for what another program brought already', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    const tip = committed(sides.theirs, { 'A.md': 'theirs\n', 'New.md': 'new\n' });
    change(vault.root, { 'A.md': 'theirs\n', 'New.md': 'new\n' });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward', head: tip });
    expectSound(sides.ours);
  });

  it('takes the mode of a file, and merges it apart from its lines', async () => {
    const sides = twoSides({ 'a.sh': 'one\ntwo\nthree\n', 'b.sh': 'b\n' });
    const vault = await openedOver(sides);
    executable(sides.theirs.dir, 'a.sh');
    executable(sides.theirs.dir, 'b.sh');
    committed(sides.theirs, { 'new.sh': 'new\n' });
    executable(sides.theirs.dir, 'new.sh');
    sides.theirs.commit();
    committed(sides.ours, { 'a.sh': 'one\ntwo\nTHREE\n' });
    await pulled(vault, sides.theirs);
    for (const path of ['a.sh', 'b.sh', 'new.sh'])
      expect(statSync(join(vault.root, path)).mode & 0o100, path).toBe(0o100);
    expect(vault.text('a.sh')).toBe('one\ntwo\nTHREE\n');
    expectSound(sides.ours);
  });

  it('gives a copy another name where one is taken', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    for (const text of ['1', '2']) {
      committed(sides.theirs, { 'A.md': `theirs ${text}\n` });
      committed(sides.ours, { 'A.md': `ours ${text}\n` });
      await pulled(vault, sides.theirs);
    }
    const names = Object.keys(filesOf(vault.root)).map(withDay).sort();
    expect(names).toEqual([`A ${DAY}.md`, 'A (conflict DAY origin 2).md', 'A.md'].sort());
    expectSound(sides.ours);
  });

  it('leaves a file that git ignores, and saves theirs beside it', async () => {
    const sides = twoSides({ '.gitignore': 'secret.txt\n' });
    const vault = await openedOver(sides);
    change(vault.root, { 'secret.txt': 'ours\n' });
    change(sides.theirs.dir, { 'secret.txt': 'theirs\n' });
    sides.theirs.run('add', '-f', 'secret.txt');
    sides.theirs.commit();
    const { conflicts } = await pulled(vault, sides.theirs);
    expect(conflicts).toMatchObject([{ path: 'secret.txt', why: 'kinds' }]);
    expect(vault.text('secret.txt')).toBe('ours\n');
    expect(vault.text(conflicts[0]!.saved!)).toBe('theirs\n');
    expectSound(sides.ours);
  });

  it('makes no link that a remote brings, and git stays calm about it (user-pains IG#2377)', async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'was.md': 'a file\n' });
    const outside = join(vaultBeside(sides.ours.dir), 'outside.md');
    writeFileSync(outside, 'out of reach\n');
    const vault = await openedOver(sides);
    symlinkSync(outside, join(sides.theirs.dir, 'link.md'));
    symlinkSync(vaultBeside(sides.ours.dir), join(sides.theirs.dir, 'folder'));
    change(sides.theirs.dir, { 'was.md': null });
    symlinkSync(outside, join(sides.theirs.dir, 'was.md'));
    sides.theirs.commit();
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward', conflicts: [] });
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'a\n' });
    expect(vault.problems.map(({ path }) => path).sort()).toEqual(['folder', 'link.md', 'was.md']);
    expectSound(sides.ours);
    // Whoever commits all that they see takes none of it back.
    sides.ours.run('add', '-A');
    expect(sides.ours.run('status', '--porcelain')).toBe('');
    // A later change through the link's name stays in the vault.
    change(sides.theirs.dir, { folder: null, 'folder/x.md': 'in the vault\n' });
    sides.theirs.commit();
    await pulled(vault, sides.theirs);
    expect(lstatSync(join(vault.root, 'folder')).isDirectory()).toBe(true);
    expect(existsSync(join(vaultBeside(sides.ours.dir), 'x.md'))).toBe(false);
    expectSound(sides.ours);
  });

  it('writes through no link that stands in the vault', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    const elsewhere = vaultBeside(sides.ours.dir);
    symlinkSync(elsewhere, join(vault.root, 'Away'));
    writeFileSync(join(vault.root, '.git/info/exclude'), 'Away\n');
    committed(sides.theirs, { 'Away/x.md': 'x\n' });
    const { conflicts } = await pulled(vault, sides.theirs);
    expect(conflicts).toMatchObject([{ path: 'Away/x.md', why: 'kinds' }]);
    expect(existsSync(join(elsewhere, 'x.md'))).toBe(false);
    expect(vault.text(conflicts[0]!.saved!)).toBe('x\n');
    expectSound(sides.ours);
  });

  it('keeps a submodule as an entry with an empty folder', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    const id = sides.theirs.run('rev-parse', 'HEAD').trim();
    sides.theirs.run('update-index', '--add', '--cacheinfo', `160000,${id},module`);
    mkdirSync(join(sides.theirs.dir, 'module'));
    sides.theirs.run('commit', '-q', '-m', 'Module');
    await pulled(vault, sides.theirs);
    expect(lstatSync(join(vault.root, 'module')).isDirectory()).toBe(true);
    expectSound(sides.ours);
  });

  it.each([
    ['core.autocrlf', 'true', ''],
    ['core.eol', 'crlf', '* text=auto\n'],
  ])(
    'gives new files CRLF where %s asks for it, and keeps what files on disk have',
    async (key, value, attributes) => {
      const sides = twoSides({ '.gitattributes': attributes, 'A.md': 'a\nb\nc\n', 'L.md': 'a\nb\nc\n' });
      sides.ours.run('config', key, value);
      change(sides.ours.dir, { 'A.md': 'a\r\nb\r\nc\r\n' });
      const vault = await openedOver(sides);
      committed(sides.theirs, { 'A.md': 'a\nb\nC\n', 'L.md': 'a\nb\nC\n', 'New.md': 'n\n' });
      change(vault.root, { 'A.md': 'A\r\nb\r\nc\r\n' });
      await pulled(vault, sides.theirs);
      expect(readFileSync(join(vault.root, 'A.md'), 'utf8')).toBe('A\r\nb\r\nC\r\n');
      expect(vault.text('L.md')).toBe('a\nb\nC\n');
      expect(vault.text('New.md')).toBe('n\r\n');
      expectSound(sides.ours);
    },
  );

  it('follows the .gitattributes that come with it', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    committed(sides.theirs, { '.gitattributes': '*.txt text eol=crlf\n', 'new.txt': 'n\n' });
    await pulled(vault, sides.theirs);
    expect(vault.text('new.txt')).toBe('n\r\n');
    expectSound(sides.ours);
    committed(sides.theirs, { '.gitattributes': '*.png filter=lfs\n', 'x.png': 'pointer\n' });
    await expect(pulled(vault, sides.theirs)).rejects.toMatchObject({ code: 'git_filter_unsupported' });
    expect(vault.text('x.png')).toBeNull();
    expectSound(sides.ours);
  });

  it('fills a branch that has no commit yet', async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'B.md': 'b\n' });
    sides.ours.run('checkout', '-q', '--orphan', 'fresh');
    sides.ours.run('rm', '-rfq', '.');
    const vault = await openedOver(sides);
    change(vault.root, { 'B.md': 'b\n' });
    const tip = fetched(sides.ours, sides.theirs);
    expect(await vault.engine.pull({ theirs: tip, remote: 'origin' })).toMatchObject({
      kind: 'fast_forward',
      head: tip,
    });
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'a\n', 'B.md': 'b\n' });
    expectSound(sides.ours);
  });
});

function vaultBeside(dir: string): string {
  const beside = `${dir}-beside`;
  mkdirSync(beside, { recursive: true });
  return beside;
}
