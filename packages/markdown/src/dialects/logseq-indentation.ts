import { OffsetMap } from '../outline/offset-map.ts';

/** A body as a CommonMark parser takes Logseq's bullets for bullets, and the way back to the body's offsets. */
export interface LogseqBody {
  readonly text: string;
  /** Null when the text is the body itself. */
  readonly offsets: OffsetMap | null;
}

/** A bullet that is open where the next line stands. Columns count from 0, tab stops are 4 apart. */
interface Bullet {
  /** Column of the marker. */
  readonly column: number;
  /** Column of the text after it. */
  readonly content: number;
  /** How many columns it was moved to the left. */
  readonly moved: number;
}

const MARKER = /(?:[-*+]|\d{1,9}[.)])(?=[ \t\r]|$)/y;
const FENCE = /(?:`{3,}(?!.*`)|~{3,})/y;
const HEADING = /#{1,6}(?=[ \t\r]|$)/y;
// A body without such a line has no bullet that is indented too far.
const INDENTED_BULLET = /^[ \t]+(?:[-*+]|\d{1,9}[.)])(?:[ \t\r]|$)/m;

/**
 * Takes excess indentation from a Logseq page. In Logseq a bullet is a bullet however far it is indented: below
 * a heading, which is a block of its own there, bullets start at one tab. CommonMark takes four columns more
 * than the text above for code, or for more of its paragraph; here such bullets, with all that belongs to them,
 * move to the left until they are nested as CommonMark nests them.
 *
 * @example outdentBullets('## Use\n\t- a\n\t\t- b\n').text // '## Use\n- a\n    - b\n'
 */
export function outdentBullets(body: string): LogseqBody {
  if (!INDENTED_BULLET.test(body)) return { text: body, offsets: null };
  const lines = new Lines();
  const offsets = new OffsetMap();
  let text = '';
  let copied = 0;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const { at, columns } = indentation(body, start);
    const wanted = lines.place(body.slice(at, end), columns);
    if (wanted !== columns) {
      text += body.slice(copied, start) + ' '.repeat(wanted);
      offsets.add(text.length, at);
      copied = at;
    }
    start = end + 1;
  }
  return copied === 0 ? { text: body, offsets: null } : { text: text + body.slice(copied), offsets };
}

/** Says of line after line to what column its text belongs. */
class Lines {
  readonly #open: Bullet[] = [];
  #fence: { readonly mark: string; readonly content: number } | null = null;
  #afterBlank = false;

  /** `line` without its indentation, which is `columns` wide; answers the width that it should have. */
  place(line: string, columns: number): number {
    const blank = /^\r?$/.test(line);
    if (blank) {
      this.#afterBlank = true;
      return columns;
    }
    if (this.#fence !== null && columns >= this.#fence.content) {
      if (closesFence(line, this.#fence.mark)) this.#fence = null;
      return this.#beside(columns);
    }
    this.#fence = null;
    const marker = match(MARKER, line);
    const wanted =
      marker === null ? this.#placeText(line, columns) : this.#placeBullet(line, marker, columns);
    this.#afterBlank = false;
    return wanted;
  }

  #placeBullet(line: string, marker: string, columns: number): number {
    while (this.#open.length > 0 && this.#top!.column >= columns) this.#open.pop();
    const base = this.#top?.content ?? 0;
    // Moves are multiples of four, so that tabs keep their width.
    const excess = Math.max(0, columns - base) & ~3;
    const wanted = this.#beside(columns) - excess;
    const after = indentation(line, marker.length, columns + marker.length);
    const width = after.columns - columns - marker.length;
    // CommonMark: more than four columns are the marker's one space and code; a bullet may be empty.
    const gap = width > 4 || after.at >= line.length || line[after.at] === '\r' ? 1 : width;
    const content = columns + marker.length + gap;
    this.#open.push({ column: columns, content, moved: columns - wanted });
    this.#openFence(line.slice(after.at), content);
    return wanted;
  }

  #placeText(line: string, columns: number): number {
    // Text goes on with its bullet until a blank line; a heading or a fence does not.
    if (this.#afterBlank || match(HEADING, line) !== null || match(FENCE, line) !== null)
      while (this.#open.length > 0 && this.#top!.content > columns) this.#open.pop();
    this.#openFence(line, this.#top?.content ?? 0);
    return this.#beside(columns);
  }

  /** A line that belongs to the innermost bullet moves as far as the bullet did. */
  #beside(columns: number): number {
    return Math.max(0, columns - (this.#top?.moved ?? 0));
  }

  #openFence(line: string, content: number): void {
    const mark = match(FENCE, line);
    if (mark !== null) this.#fence = { mark, content };
  }

  get #top(): Bullet | undefined {
    return this.#open[this.#open.length - 1];
  }
}

function closesFence(line: string, mark: string): boolean {
  const text = line.trimEnd();
  return text.length >= mark.length && text === mark[0]!.repeat(text.length);
}

function match(pattern: RegExp, line: string): string | null {
  pattern.lastIndex = 0;
  return pattern.exec(line)?.[0] ?? null;
}

/** Where the white space from `from` on ends, and the column there when it starts in column `column`. */
function indentation(text: string, from: number, column = 0): { at: number; columns: number } {
  let at = from;
  let columns = column;
  for (; at < text.length; at += 1) {
    if (text[at] === ' ') columns += 1;
    else if (text[at] === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return { at, columns };
}
