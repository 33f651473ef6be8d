import { execFileSync } from 'node:child_process';
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { markdownFiles } from './corpora.ts';

const PER_FOLDER = 1_000;
const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
// Its own housekeeping would run beside what is measured.
const NO_UPKEEP = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false'];

/** Runs git in a folder and returns what it prints. */
export function git(root: string, ...args: string[]): string {
  return execFileSync('git', [...IDENTITY, ...NO_UPKEEP, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}

export interface WriteVault {
  readonly root: string;
  /** All notes, relative, in folders of at most 1,000, or all in the root. */
  readonly paths: readonly string[];
}

/**
 * A repository of that many notes with the texts of the pages, in one commit and one pack. What comes after the last
 * page is the first one again, with another last line.
 */
export function makeWriteVault(pages: string, root: string, notes: number, isFlat: boolean): WriteVault {
  const files = markdownFiles(pages);
  const paths: string[] = [];
  mkdirSync(root, { recursive: true });
  for (let at = 0; at < notes; at++) {
    const name = `Page ${String(at).padStart(5, '0')}.md`;
    const folder = `Area ${String(Math.floor(at / PER_FOLDER)).padStart(2, '0')}`;
    const path = isFlat ? name : join(folder, name);
    if (at % PER_FOLDER === 0) mkdirSync(dirname(join(root, path)), { recursive: true });
    const text = readFileSync(join(pages, files[at % files.length]!), 'utf8');
    const edition = Math.floor(at / files.length);
    writeFileSync(join(root, path), edition === 0 ? text : `${text}\nEdition ${edition} of this page.\n`);
    paths.push(path);
  }
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Begin');
  git(root, 'repack', '-q', '-a', '-d');
  return { root, paths };
}

/** A heading of level 2 that stands once in the text and is plain words; null when there is none. */
export function plainHeading(text: string): string | null {
  const headings = [...text.matchAll(/^#{1,6} +(.+?) *$/gm)].map((match) => match[1]!);
  const found = text.matchAll(/^## +([A-Za-z][A-Za-z0-9 ]+[A-Za-z0-9]) *$/gm);
  for (const [, heading] of found)
    if (headings.filter((other) => other.toLowerCase() === heading!.toLowerCase()).length === 1)
      return heading!;
  return null;
}

/** Bytes and number of the files below a folder. */
export function sizeOfFolder(folder: string): { readonly bytes: number; readonly files: number } {
  let [bytes, files] = [0, 0];
  for (const entry of allIn(folder)) {
    if (!entry.isFile()) continue;
    const found = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    if (found === undefined) continue;
    // What it takes on disk: loose objects are small, blocks are not.
    bytes += found.blocks * 512;
    files += 1;
  }
  return { bytes, files };
}

/** What is below a folder; looked through again where a folder went meanwhile. */
function allIn(folder: string): Dirent[] {
  for (;;) {
    try {
      return readdirSync(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) throw error;
    }
  }
}
