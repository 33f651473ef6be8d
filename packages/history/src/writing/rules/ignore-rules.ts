import { type RulePattern, rulePattern } from './rule-pattern.ts';

interface IgnoreLine {
  readonly pattern: RulePattern;
  readonly negated: boolean;
}

/** The patterns of one .gitignore, info/exclude or core.excludesFile, the strongest last. */
export interface IgnoreFile {
  readonly lines: readonly IgnoreLine[];
}

/** An ignore file and the folder that its patterns start from; `''` is the top. */
export interface PlacedIgnoreFile {
  readonly file: IgnoreFile;
  readonly folder: string;
}

/** Parses the text of an ignore file, bytes as Latin-1 (gitignore, "PATTERN FORMAT"). */
export function parseIgnoreFile(text: string, foldCase: boolean): IgnoreFile {
  const lines: IgnoreLine[] = [];
  for (const raw of withoutMark(text).split('\n')) {
    if (raw === '' || raw.startsWith('#')) continue;
    const line = trimSpaces(raw.endsWith('\r') ? raw.slice(0, -1) : raw);
    const negated = line.startsWith('!');
    const source = negated ? line.slice(1) : line;
    if (source !== '') lines.push({ pattern: rulePattern(source, foldCase), negated });
  }
  return { lines };
}

/**
 * What of the path git ignores: a folder on its way, the outermost, or the path itself; null where it does not. The last
 * pattern that matches decides, and nothing below an ignored folder comes back. `files` are ordered from the weakest;
 * those of folders below come behind those above.
 */
export function ignoredAt(path: string, files: readonly PlacedIgnoreFile[]): string | null {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash);
    if (decides(folder, true, files)) return folder;
  }
  return decides(path, false, files) ? path : null;
}

function decides(path: string, folder: boolean, files: readonly PlacedIgnoreFile[]): boolean {
  for (const placed of files.toReversed()) {
    const inside = placed.folder === '' ? path : below(path, placed.folder);
    if (inside === null) continue;
    for (const { pattern, negated } of placed.file.lines.toReversed()) {
      if ((folder || !pattern.foldersOnly) && pattern.matches(inside)) return !negated;
    }
  }
  return false;
}

function below(path: string, folder: string): string | null {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

/** Without a byte order mark, which git skips in its rule files. */
export function withoutMark(text: string): string {
  return text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text;
}

/** Spaces at the end do not count, unless a backslash stands before the first. */
function trimSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, Math.min(end, line.length));
}
