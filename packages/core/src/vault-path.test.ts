import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptDiskPath,
  folderOf,
  GroveError,
  isWithin,
  noteName,
  parseFolderPath,
  parseVaultPath,
} from './index.ts';

const reasonOf = (parse: () => unknown): string | null => {
  try {
    parse();
    return null;
  } catch (error) {
    if (error instanceof GroveError && error.code === 'bad_path') return String(error.data.reason);
    throw error;
  }
};

describe('parseVaultPath', () => {
  it.each([
    'Note.md',
    'Projects/Grove.md',
    'a/b/c d.md',
    '日本語/メモ.md',
    'C#.md',
    'x.MD',
    'v1.2 (draft) [x].md',
  ])('accepts %s', (path) => {
    expect(parseVaultPath(path)).toBe(path);
  });

  it('gives both Unicode forms the same path', () => {
    expect(parseVaultPath('Cafe\u0301.md')).toBe('Caf\u00e9.md');
  });

  it.each([
    ['', 'it is empty'],
    ['/etc/passwd.md', 'it is absolute'],
    ['C:/x.md', 'it is absolute'],
    ['../x.md', 'it leaves its folder'],
    ['a/../../x.md', 'it leaves its folder'],
    ['a/./x.md', 'it leaves its folder'],
    ['a//x.md', 'a folder name is empty'],
    ['a\\..\\x.md', 'it holds a backslash'],
    ['.git/hooks/x.md', 'a hidden file or folder is out of reach'],
    ['.obsidian/x.md', 'a hidden file or folder is out of reach'],
    ['a/.hidden.md', 'a hidden file or folder is out of reach'],
    ['con.md', 'it is the name of a Windows device'],
    ['a/COM1/x.md', 'it is the name of a Windows device'],
    ['x.md:stream.md', 'it holds a character that not every system can store'],
    ['a\u0000b.md', 'it holds a character that not every system can store'],
    ['a\u202eb.md', 'it holds an invisible character'],
    ['x.txt', 'a note ends in ".md"'],
    ['folder /x.md', 'a name starts or ends with a space or ends with a dot'],
    ['\ud800.md', 'it is not valid Unicode'],
    [`${'x'.repeat(300)}.md`, 'a name is longer than 255 bytes'],
  ])('refuses %j: %s', (path, reason) => {
    expect(reasonOf(() => parseVaultPath(path))).toBe(reason);
  });

  it('never lets a path out of the vault, whatever it is given', () => {
    const segment = fc.oneof(
      fc.constantFrom('..', '.', '', '.git', 'a', '%2e%2e', '..\\', 'con'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const path = `${segments.join('/')}.md`;
        if (reasonOf(() => parseVaultPath(path)) !== null) return;
        const parts = parseVaultPath(path).split('/');
        expect(parts.every((part) => part !== '' && !part.startsWith('.') && !part.includes('\\'))).toBe(
          true,
        );
        expect(parseVaultPath(parseVaultPath(path))).toBe(parseVaultPath(path));
      }),
    );
  });
});

describe('acceptDiskPath', () => {
  it('takes names that Grove would not create', () => {
    expect(acceptDiskPath('What? A: note.md')).toBe('What? A: note.md');
  });

  it('refuses what must never be read', () => {
    for (const path of ['.trash/x.md', 'a/.obsidian/x.md', 'a\nb.md', '../x.md', '.md'])
      expect(
        reasonOf(() => acceptDiskPath(path)),
        path,
      ).not.toBeNull();
  });

  it('takes what is of the right form, sign by sign, and nothing else', () => {
    const isHidden = (name: string) =>
      name === '' || name.startsWith('.') || /[\u0000-\u001f\u007f]/.test(name);
    const isFit = (path: string) =>
      path.isWellFormed() &&
      Buffer.byteLength(path) <= 1024 &&
      !/^[a-z]:|\\/i.test(path) &&
      !path.split('/').some(isHidden) &&
      /[^/]\.md$/i.test(path);
    const sign = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('/', '.', '.md', '.MD', 'a', 'C', ':', '\\', ' ', '-', '\u007f', 'é'),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.constant('a'.repeat(512)) },
    );
    const path = fc.array(sign, { maxLength: 8 }).map((signs) => `${signs.join('')}.md`.normalize('NFC'));
    fc.assert(
      fc.property(path, (input) => {
        const refusal = reasonOf(() => expect(acceptDiskPath(input)).toBe(input));
        expect(refusal === null, input).toBe(isFit(input));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parts of a path', () => {
  it('names the note and its folder', () => {
    const path = parseVaultPath('Projects/Grove.md');
    expect(noteName(path)).toBe('Grove');
    expect(folderOf(path)).toBe('Projects');
    expect(folderOf(parseVaultPath('Top.md'))).toBe('');
  });

  it('knows folders by whole segments', () => {
    const folder = parseFolderPath('Projects/');
    expect(isWithin('Projects/Grove.md', folder)).toBe(true);
    expect(isWithin('Projects-old/Grove.md', folder)).toBe(false);
    expect(isWithin('x.md', parseFolderPath('/'))).toBe(true);
  });
});
