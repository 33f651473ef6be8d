import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openWriter } from '../../testing/git-twin.ts';

const PATHS = [
  'a.md',
  'b.md',
  'A.md',
  'note[1].md',
  'é.md',
  'x/a.md',
  'x/b b.md',
  'x/y/a.md',
  'x/y/z/note.md',
  'x-y/a.md',
  'draft/#1.md',
  'draft/!x.md',
];

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'x', 'y', 'z', 'note', 'draft', '.md', 'é', '1', '-') },
  { weight: 5, arbitrary: fc.constantFrom('*', '**', '?', '/', '/**/', '**/', '/**') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '[ab]',
      '[!a]',
      '[^x-z]',
      '[[:alpha:]]',
      '[[:upper:]]',
      '[[:digit:]x]',
      '[]a]',
      '[a-]',
      '[',
      '[[:none:]]',
      '[a\\]]',
      '[A-Z]',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom('\\*', '\\a', '\\', '\\ ', ' ', '#', '!', '\t', '"') },
);
const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
const ignoreLine = fc.tuple(
  fc.constantFrom('', '', '!', '/', '\\!', '#'),
  pattern,
  fc.constantFrom('', '', '/', ' ', '\r'),
);
const ignoreFile = fc.array(
  ignoreLine.map((parts) => parts.join('')),
  { maxLength: 4 },
);
const ATTRIBUTES = [
  'text',
  '-text',
  '!text',
  'text=auto',
  'eol=lf',
  'crlf=input',
  'binary',
  'filter=lfs',
  '-filter',
];
const attributeWords = fc.array(
  fc.constantFrom(
    ...ATTRIBUTES,
    'ident',
    'mine',
    '-mine',
    '!mine',
    'working-tree-encoding=UTF-16',
    '-',
    'b@d',
    '=x',
  ),
  { maxLength: 4 },
);
const attributeFile = fc.array(
  fc
    .tuple(
      fc.constantFrom('', '', '', '  ', '!', '#', '[attr]mine ', '[attr]binary '),
      pattern,
      attributeWords,
    )
    .map(
      ([start, name, words]) => `${start}${/\s/.test(name) ? JSON.stringify(name) : name} ${words.join(' ')}`,
    ),
  { maxLength: 5 },
);

function writeLines(git: SystemGit, path: string, lines: readonly string[], endless: boolean): void {
  const text = lines.join('\n') + (endless ? '' : '\n');
  if (lines.length === 0) rmSync(join(git.dir, path), { force: true });
  else git.write(path, text);
}

function repository(): SystemGit {
  const git = SystemGit.init();
  for (const path of PATHS) git.write(path, 'x\n');
  return git;
}

describeWithPrograms('rules for paths', ['git'], () => {
  it.each(['false', 'true'])('ignores what git ignores, with core.ignoreCase %s', async (ignoreCase) => {
    const git = repository();
    git.run('config', 'core.ignoreCase', ignoreCase);
    git.run('config', 'core.excludesFile', join(git.dir, '.git/mine'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(ignoreFile, { minLength: 5, maxLength: 5 }),
        fc.boolean(),
        async (files, endless) => {
          const places = ['.gitignore', 'x/.gitignore', 'x/y/.gitignore', '.git/info/exclude', '.git/mine'];
          for (const [i, place] of places.entries()) writeLines(git, place, files[i]!, endless);
          const byGit = git.run('ls-files', '--others', '--ignored', '--exclude-standard', '-z').split('\0');
          await using writer = await openWriter(git.dir);
          const ours: string[] = [];
          for (const path of PATHS) if ((await writer.rules(path)).ignored) ours.push(path);
          expect(ours).toEqual(PATHS.filter((path) => byGit.includes(path)));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('passes over a line with a name that is none, also where it would define a macro anew', async () => {
    const git = repository();
    git.write(
      '.gitattributes',
      '[attr]enc working-tree-encoding=UTF-16\n[attr]enc [ab]a\n* enc\n* -filter [x]\n',
    );
    expect(git.run('check-attr', 'working-tree-encoding', '--', PATHS[0]!)).toContain('UTF-16');
    await using writer = await openWriter(git.dir);
    expect(await writer.rules(PATHS[0]!)).toMatchObject({ workingTreeEncoding: 'UTF-16', filter: null });
  });

  it.each(['false', 'true'])(
    'sees the attributes that git sees, with core.ignoreCase %s',
    async (ignoreCase) => {
      const git = repository();
      git.run('config', 'core.ignoreCase', ignoreCase);
      git.run('config', 'core.attributesFile', join(git.dir, '.git/mine'));
      const names = ['filter', 'ident', 'working-tree-encoding'];
      await fc.assert(
        fc.asyncProperty(
          fc.array(attributeFile, { minLength: 5, maxLength: 5 }),
          fc.boolean(),
          async (files, endless) => {
            const places = [
              '.gitattributes',
              'x/.gitattributes',
              'x/y/.gitattributes',
              '.git/info/attributes',
              '.git/mine',
            ];
            for (const [i, place] of places.entries()) writeLines(git, place, files[i]!, endless);
            const fields = git.run('check-attr', '-z', ...names, '--', ...PATHS).split('\0');
            const value = (path: number, name: number) => fields[(path * names.length + name) * 3 + 2]!;
            const known = (text: string) => (['set', 'unset', 'unspecified'].includes(text) ? null : text);
            await using writer = await openWriter(git.dir);
            for (const [i, path] of PATHS.entries()) {
              const { filter, ident, workingTreeEncoding } = await writer.rules(path);
              expect([path, filter, ident, workingTreeEncoding]).toEqual([
                path,
                known(value(i, 0)),
                value(i, 1) === 'set',
                known(value(i, 2)),
              ]);
            }
          },
        ),
        { numRuns: 50 },
      );
    },
  );

  it('names a path that is ignored, filtered or in another repository, and passes a tracked one', async () => {
    const git = repository();
    git.commit();
    git.write('.gitignore', '*.md\n!b.md\n');
    git.write(
      '.gitattributes',
      '*.secret.md filter=git-crypt\nutf16/* working-tree-encoding=UTF-16LE\nid/* ident\n',
    );
    git.write('x/inner/n.md', 'n\n');
    const inner = SystemGit.init(join(git.dir, 'x/inner'));
    inner.run('add', '-A');
    await using writer = await openWriter(git.dir);
    await writer.refuse('a.md');
    await writer.refuse('sub/b.md');
    await expect(writer.refuse('new.md')).rejects.toMatchObject({ code: 'git_ignored' });
    await expect(writer.refuse('x/inner/b.md')).rejects.toMatchObject({
      code: 'git_in_submodule',
      data: { folder: 'x/inner' },
    });
    rmSync(join(git.dir, '.gitignore'));
    for (const [path, reason] of [
      ['my.secret.md', 'filter=git-crypt'],
      ['utf16/a.md', 'working-tree-encoding=UTF-16LE'],
      ['id/a.md', 'ident'],
    ] as const) {
      await expect(writer.refuse(path)).rejects.toMatchObject({
        code: 'git_filter_unsupported',
        data: { reason },
      });
      await expect(writer.clean(path, Buffer.from('x'))).rejects.toMatchObject({
        code: 'git_filter_unsupported',
      });
    }
  });

  it('takes attributes from the index where the file is missing in the folder, as git does', async () => {
    const git = repository();
    git.write('x/.gitattributes', '*.md filter=lfs\n');
    git.write('.gitattributes', 'a.md ident\n');
    git.commit();
    git.remove('x/.gitattributes');
    git.remove('.gitattributes');
    expect(git.run('check-attr', 'filter', 'x/y/a.md')).toBe('x/y/a.md: filter: lfs\n');
    await using writer = await openWriter(git.dir);
    expect(await writer.rules('x/y/a.md')).toMatchObject({ filter: 'lfs' });
    expect(await writer.rules('a.md')).toMatchObject({ filter: null, ident: true });
    expect(await writer.rules('b.md')).toMatchObject({ filter: null, ident: false });
  });

  it('follows a changed rule file at once, and no link in the work tree', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir, { clock: { now: () => Date.now() + 60_000 } });
    const ignored = async () => (await writer.rules('a.md')).ignored;
    for (let i = 0; i < 5; i++) {
      git.write('.gitignore', 'a.md\n');
      expect(await ignored()).toBe(true);
      git.write('.gitignore', `b.md${'\n'.repeat(i)}\n`);
      expect(await ignored()).toBe(false);
    }
    rmSync(join(git.dir, '.gitignore'));
    writeFileSync(join(git.dir, 'rules'), 'a.md\n');
    symlinkSync('rules', join(git.dir, '.gitignore'));
    expect(await ignored()).toBe(false);
  });

  it('reads the settings of the user, what they include, and the repository over them', async () => {
    const git = repository();
    const home = temporaryFolder();
    mkdirSync(join(home, 'git'), { recursive: true });
    writeFileSync(join(home, 'git/ignore'), 'a.md\n');
    writeFileSync(join(home, 'more'), '[core]\n\tautocrlf = input\n\texcludesFile = ~/other\n');
    writeFileSync(join(home, 'other'), 'b.md\n');
    const config = join(home, '.gitconfig');
    const user = { configs: [config], attributes: null, folder: join(home, 'git'), home };
    const rules = async (path: string) => {
      await using writer = await openWriter(git.dir, { user });
      return writer.rules(path);
    };
    expect(await rules('a.md')).toMatchObject({ ignored: true, eol: 'binary' });
    writeFileSync(
      config,
      '[include]\n\tpath = none\n[include]\n\tpath = more\n[core]\n\tquotePath = false\n',
    );
    expect(await rules('a.md')).toMatchObject({ ignored: false, eol: 'auto' });
    expect(await rules('b.md')).toMatchObject({ ignored: true, eol: 'auto' });
    writeFileSync(config, `[includeIf "gitdir:${git.dir}/"]\n\tpath = more\n`);
    expect(await rules('b.md')).toMatchObject({ ignored: true });
    writeFileSync(config, '[includeIf "gitdir:/elsewhere/"]\n\tpath = more\n');
    expect(await rules('b.md')).toMatchObject({ ignored: false, eol: 'binary' });
    writeFileSync(config, '[core]\n\tautocrlf = true\n');
    git.run('config', 'core.autocrlf', 'false');
    expect(await rules('b.md')).toMatchObject({ eol: 'binary' });
  });

  it('takes its time for no pattern', async () => {
    const git = repository();
    git.write('.gitignore', `${'*a'.repeat(3000)}b\n${'**/'.repeat(3000)}b\n`);
    await using writer = await openWriter(git.dir);
    expect((await writer.rules(`${'a'.repeat(200)}.md`)).ignored).toBe(false);
  });
});
