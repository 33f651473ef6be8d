import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's own folder. */
export const repository = fileURLToPath(new URL('..', import.meta.url));

/** Other people's data for measuring, never part of the product; `GROVE_TEST_DATA` says where it is. */
export const dataFolder = process.env.GROVE_TEST_DATA || join(repository, '..', 'shared');

/** Path of one data file, or ends the bench with a sentence when it is not there. */
export function requireData(path: string): string {
  const file = join(dataFolder, path);
  if (existsSync(file)) return file;
  console.error(`${path} is not in ${dataFolder}: set GROVE_TEST_DATA to the folder that holds it.`);
  process.exit(1);
}

/** A fresh folder under the system's temporary one. */
export function scratchFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `grove-bench-${name}-`));
}

/** Unpacks the 10,000 pages into `<scratch>/pages` and returns that folder. */
export function unpackPages(scratch: string): string {
  const folder = join(scratch, 'pages');
  mkdirSync(folder);
  execFileSync('tar', ['-C', folder, '-xJf', requireData('corpora/win32-10k.tar.xz')]);
  // No first commit of ten thousand notes in the middle of a measurement.
  mkdirSync(join(folder, '.grove'));
  writeFileSync(join(folder, '.grove', 'vault.yaml'), 'autocommit: false\n');
  return folder;
}

/**
 * The pages `copies` times, each copy in a folder of its own and edited: every copy's first body line differs,
 * so that no two files have the same content hash.
 */
export function multiplyPages(pages: string, scratch: string, copies: number): string {
  const folder = join(scratch, `pages-x${copies}`);
  for (let copy = 1; copy <= copies; copy++) {
    const target = join(folder, `copy-${copy}`);
    cpSync(pages, target, { recursive: true });
    for (const file of markdownFiles(target)) {
      const path = join(target, file);
      writeFileSync(path, `${readFileSync(path, 'utf8')}\nEdition ${copy} of this page.\n`);
    }
  }
  return folder;
}

/** All `.md` files below the folder, relative, sorted. */
export function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

export interface TitleQuery {
  readonly path: string;
  readonly q: string;
}

/** The 50 title queries with the page that should come first. */
export function titleQueries(): TitleQuery[] {
  return JSON.parse(readFileSync(requireData('corpora/win32-10k.titles.json'), 'utf8')) as TitleQuery[];
}

/** Deterministic three-word queries from the bodies of pages spread over the corpus. */
export function bodyQueries(pages: string, count: number): string[] {
  const files = markdownFiles(pages);
  const queries: string[] = [];
  for (let i = 0; queries.length < count && i < files.length; i++) {
    const file = files[(i * 7919) % files.length]!;
    const words = readFileSync(join(pages, file), 'utf8').match(/\b[a-z]{5,12}\b/g) ?? [];
    if (words.length < 60) continue;
    const at = (i * 31) % (words.length - 30);
    queries.push([words[at], words[at + 11], words[at + 23]].join(' '));
  }
  return queries;
}
