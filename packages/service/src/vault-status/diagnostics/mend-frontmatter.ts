import { type NoteText, parseNote } from '@grove/markdown';

/** One edit of write_note. */
export interface FrontmatterEdit {
  readonly find: string;
  readonly replace: string;
  readonly scope: 'frontmatter' | 'note';
}

/** Longer properties, in lines and UTF-16 units, are left to people. */
const MOST_LINES = 200;
const LONGEST = 8 * 1024;
/** How far behind the properties is looked for what makes an edit stand alone, in UTF-16 units. */
const FURTHER = 800;
/** Rounds, each of which mends the first line that is in the way. */
const ROUNDS = 12;

const PROPERTY = /^(\s*(?:- )?[^\s#:'"[\]{}][^:#]*:)\s+(\S.*)$/;
const ITEM = /^(\s*-)\s+(\S.*)$/;

/**
 * Edits after which the frontmatter of a note can be read, and no word of it is lost: a value in the way is put into
 * quotes, a line that is no property becomes a comment, a block that does not end is closed. Null where none is known.
 */
export function mendFrontmatter(note: NoteText, path: string): readonly FrontmatterEdit[] | null {
  const edits = note.frontmatter.status === 'unclosed' ? closed(note, path) : mended(note, path);
  // An edit takes every line break of the note for `\n`.
  const plain = (text: string): string => text.replaceAll(/\r(?=\n|$)/g, '');
  return (
    edits?.map(({ find, replace, scope }) => ({ find: plain(find), replace: plain(replace), scope })) ?? null
  );
}

function mended(note: NoteText, path: string): readonly FrontmatterEdit[] | null {
  const { block, yaml } = note.frontmatter;
  if (block === null || yaml === null || yaml.end - yaml.start > LONGEST) return null;
  const before = note.text.slice(yaml.start, yaml.end);
  const lines = before.split('\n');
  if (lines.length > MOST_LINES) return null;
  const readable = (now: readonly string[]): number | null => {
    const text = note.text.slice(0, yaml.start) + now.join('\n') + note.text.slice(yaml.end, block.end);
    const { status, error } = parseNote(text, { dialect: note.dialect, path }).frontmatter;
    return status === 'ok' || status === 'none' ? null : (error?.line ?? 2) - 2;
  };
  let now = lines;
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = readable(now);
    if (at === null) return [editBetween(before, now.join('\n'))];
    now = betterLines(now, at, readable);
  }
  return null;
}

/** The lines with one of them mended: the first way that lets more of them be read, else the line as a comment. */
function betterLines(
  lines: readonly string[],
  at: number,
  readable: (lines: readonly string[]) => number | null,
): string[] {
  const last = Math.min(Math.max(at, 0), lines.length - 1);
  // What is wrong is often told only lines below: a bracket that is not closed.
  for (let place = last; place >= Math.max(0, last - 3); place -= 1) {
    for (const line of waysToWrite(lines[place]!)) {
      const tried = lines.with(place, line);
      const next = readable(tried);
      if (next === null || next > at) return tried;
    }
  }
  const place = lines.findLastIndex((line, index) => index <= last && !/^\s*(?:#|$)/.test(line));
  return place < 0 ? [...lines] : lines.with(place, `# ${lines[place]}`);
}

function waysToWrite(line: string): string[] {
  const end = line.endsWith('\r') ? '\r' : '';
  const whole = end === '' ? line : line.slice(0, -1);
  const [, key, value] = PROPERTY.exec(whole) ?? ITEM.exec(whole) ?? [];
  return [
    ...(/^\t/.test(whole) ? [`${whole.replaceAll('\t', '  ')}${end}`] : []),
    ...(key === undefined || value === undefined ? [] : [`${key} ${JSON.stringify(value.trimEnd())}${end}`]),
  ];
}

/** Puts the second fence behind the lines that read as properties; without any, the first becomes a plain line. */
function closed(note: NoteText, path: string): readonly FrontmatterEdit[] | null {
  const { text } = note;
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const lines = text.slice(start).split('\n');
  const behind = lines.findIndex(
    (line, at) => at > 0 && !/^(?:[^\s#:[\]{}-][^:]*:(?:\s.*)?|\s+\S.*|- .*)$/.test(line.replace(/\r$/, '')),
  );
  const kept = behind < 0 ? lines.length : behind;
  const open = lines.slice(0, kept).join('\n');
  const candidates = [`${open}\n---`, `\n${open}`];
  if (kept > MOST_LINES || open.length > LONGEST) return null;
  const find = uniqueStart(text, start, open);
  if (find === null) return null;
  for (const replace of candidates) {
    const now = `${text.slice(0, start)}${replace}\n`;
    const { status } = parseNote(now, { dialect: note.dialect, path }).frontmatter;
    if (status === 'ok' || status === 'none')
      return [{ find, replace: replace + find.slice(open.length), scope: 'note' }];
  }
  return null;
}

/** The start of the text, as far as `open` or further, so that it stands there alone; null where nothing does. */
function uniqueStart(text: string, start: number, open: string): string | null {
  for (let more = 0; more <= FURTHER; more += 40) {
    const found = text.slice(start, start + open.length + more);
    if (text.indexOf(found, start + 1) < 0) return found;
  }
  return null;
}

/** One edit from one text to the other: the lines that differ, and as many above as make them stand alone. */
function editBetween(before: string, after: string): FrontmatterEdit {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let first = old.findIndex((line, at) => line !== now[at]);
  const last = old.findLastIndex((line, at) => line !== now[at]);
  const part = (lines: readonly string[]): string => lines.slice(first, last + 1).join('\n');
  while (first > 0 && before.split(part(old)).length > 2) first -= 1;
  return { find: part(old), replace: part(now), scope: 'frontmatter' };
}
