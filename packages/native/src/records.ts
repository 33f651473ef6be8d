/**
 * What `outline` answers, as flat arrays. All offsets are UTF-16 offsets into the text that was given.
 *
 * `records` holds rows of twelve numbers, ordered by start, a parent before its child: kind, start, end and nine
 * that depend on the kind. `runs` holds rows of three: start, end, flags. `strings` is what rows point to by
 * index. `decodeOutline` and `textRuns` turn them into objects.
 */
export interface OutlineEvents {
  readonly records: Uint32Array;
  readonly runs: Uint32Array;
  readonly strings: string;
  readonly stringEnds: Uint32Array;
}

/** UTF-16 offsets, end exclusive. A block ends before its last line end. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface HeadingRecord extends Extent {
  readonly kind: 'heading';
  readonly level: number;
  readonly contentStart: number;
  readonly contentEnd: number;
  /** Plain text: code, math and link text included, markup and HTML dropped, line ends as spaces. */
  readonly text: string;
  readonly setext: boolean;
}

export interface CodeBlockRecord extends Extent {
  readonly kind: 'codeBlock';
  readonly fenced: boolean;
  /** Info string of a fenced block, '' when it has none. */
  readonly info: string;
  /** False for a fence that runs to the end of its container. */
  readonly closed: boolean;
  /** Extent of the code itself; both equal `end` when it is empty. */
  readonly contentStart: number;
  readonly contentEnd: number;
}

export interface ListItemRecord extends Extent {
  readonly kind: 'listItem';
  /** 1 for an item of an outermost list. */
  readonly depth: number;
  readonly ordered: boolean;
  /** The number an ordered item is written with, else null. */
  readonly number: number | null;
  /** The character in `[ ]` at the item's start (any character, as in Obsidian), or null when it is no task. */
  readonly task: string | null;
  /** Offset of that character, or null. */
  readonly taskOffset: number | null;
  /** Where the content starts after the marker (at `[` for a task); `end` when the item is empty. */
  readonly contentStart: number;
}

export interface LinkRecord extends Extent {
  readonly kind: 'link';
  readonly type: 'inline' | 'reference' | 'collapsed' | 'shortcut' | 'autolink' | 'email' | 'wikilink';
  /** Written with `!`: an image or an embed. */
  readonly embed: boolean;
  /** A wikilink with `|text`. */
  readonly pothole: boolean;
  /** Destination as Markdown reads it (escapes and entities resolved), or a wikilink's target. */
  readonly destination: string;
  readonly title: string | null;
  readonly textStart: number;
  readonly textEnd: number;
  /** Where the destination stands in the source (without `<>`), or null for links by reference. */
  readonly destinationStart: number | null;
  readonly destinationEnd: number | null;
  /** Label of a link by reference, else null. */
  readonly label: string | null;
}

export interface DefinitionRecord extends Extent {
  readonly kind: 'definition';
  readonly label: string;
  readonly destination: string;
  readonly title: string | null;
  readonly destinationStart: number | null;
  readonly destinationEnd: number | null;
}

export interface LabelRecord extends Extent {
  readonly kind: 'footnoteDefinition' | 'footnoteReference';
  readonly label: string;
}

export interface MathRecord extends Extent {
  readonly kind: 'math';
  /** Written with `$$`. */
  readonly display: boolean;
}

export interface ListRecord extends Extent {
  readonly kind: 'list';
  /** 1 for an outermost list. */
  readonly depth: number;
  readonly ordered: boolean;
}

export interface BlockQuoteRecord extends Extent {
  readonly kind: 'blockQuote';
  /** 1 for an outermost quote. */
  readonly depth: number;
}

export interface PlainRecord extends Extent {
  readonly kind: 'codeSpan' | 'htmlBlock' | 'inlineHtml' | 'table' | 'thematicBreak' | 'paragraph';
}

export type OutlineRecord =
  | HeadingRecord
  | CodeBlockRecord
  | ListItemRecord
  | LinkRecord
  | DefinitionRecord
  | LabelRecord
  | MathRecord
  | ListRecord
  | BlockQuoteRecord
  | PlainRecord;

/** A stretch of real text on one line: no code, math, HTML or markup in it. */
export interface TextRun extends Extent {
  /** Inside a link's or wikilink's brackets (a wikilink's target too). */
  readonly inLink: boolean;
  readonly inHeading: boolean;
  /** Inside an image's or embed's brackets. */
  readonly inImage: boolean;
  /** A backslash that escapes the first character stands before it. */
  readonly escaped: boolean;
  readonly inTable: boolean;
}

const STRIDE = 12;
const NONE = 0xffffffff;
const LINK_TYPES = ['inline', 'reference', 'collapsed', 'shortcut', 'autolink', 'email', 'wikilink'] as const;

/** The records as objects, in document order. */
export function decodeOutline(events: OutlineEvents): OutlineRecord[] {
  const { records } = events;
  const decoded: OutlineRecord[] = [];
  for (let row = 0; row < records.length; row += STRIDE) decoded.push(decodeRow(events, row));
  return decoded;
}

/** The text runs as objects, in document order. */
export function textRuns(events: OutlineEvents): TextRun[] {
  const { runs } = events;
  const decoded: TextRun[] = [];
  for (let at = 0; at < runs.length; at += 3) {
    const flags = runs[at + 2]!;
    decoded.push({
      start: runs[at]!,
      end: runs[at + 1]!,
      inLink: (flags & 1) !== 0,
      inHeading: (flags & 2) !== 0,
      inImage: (flags & 4) !== 0,
      escaped: (flags & 8) !== 0,
      inTable: (flags & 16) !== 0,
    });
  }
  return decoded;
}

function decodeRow({ records, strings, stringEnds }: OutlineEvents, row: number): OutlineRecord {
  const start = records[row + 1]!;
  const end = records[row + 2]!;
  const number = (index: number) => records[row + 3 + index]!;
  const offset = (index: number) => (number(index) === NONE ? null : number(index));
  const string = (index: number) => (number(index) === NONE ? null : stringAt(number(index)));
  const stringAt = (at: number) => strings.slice(at === 0 ? 0 : stringEnds[at - 1], stringEnds[at]);
  switch (records[row]) {
    case 1:
      return {
        kind: 'heading',
        start,
        end,
        level: number(0),
        contentStart: number(1),
        contentEnd: number(2),
        text: string(3) ?? '',
        setext: number(4) === 1,
      };
    case 2:
      return {
        kind: 'codeBlock',
        start,
        end,
        fenced: number(0) === 1,
        info: string(1) ?? '',
        closed: number(2) === 1,
        contentStart: offset(3) ?? end,
        contentEnd: offset(4) ?? end,
      };
    case 3:
      return { kind: 'codeSpan', start, end };
    case 4:
      return { kind: 'htmlBlock', start, end };
    case 5:
      return { kind: 'inlineHtml', start, end };
    case 6:
      return { kind: 'math', start, end, display: number(0) === 1 };
    case 7:
      return { kind: 'footnoteDefinition', start, end, label: string(0) ?? '' };
    case 8:
      return { kind: 'footnoteReference', start, end, label: string(0) ?? '' };
    case 9:
      return { kind: 'table', start, end };
    case 10:
      return { kind: 'blockQuote', start, end, depth: number(0) };
    case 11:
      return { kind: 'list', start, end, depth: number(0), ordered: number(1) === 1 };
    case 12: {
      const task = offset(2);
      return {
        kind: 'listItem',
        start,
        end,
        depth: number(0),
        ordered: number(1) === 1,
        task: task === null ? null : String.fromCodePoint(task),
        taskOffset: offset(3),
        contentStart: offset(4) ?? end,
        number: offset(5),
      };
    }
    case 13:
      return { kind: 'thematicBreak', start, end };
    case 14:
      return { kind: 'paragraph', start, end };
    case 15:
      return {
        kind: 'link',
        start,
        end,
        type: LINK_TYPES[number(0)]!,
        embed: (number(1) & 1) !== 0,
        pothole: (number(1) & 2) !== 0,
        textStart: number(2),
        textEnd: number(3),
        destination: string(4) ?? '',
        title: string(5),
        destinationStart: offset(6),
        destinationEnd: offset(7),
        label: string(8),
      };
    case 16:
      return {
        kind: 'definition',
        start,
        end,
        label: string(0) ?? '',
        destination: string(1) ?? '',
        title: string(2),
        destinationStart: offset(3),
        destinationEnd: offset(4),
      };
    default:
      throw new RangeError(`unknown outline record ${records[row]}`);
  }
}
