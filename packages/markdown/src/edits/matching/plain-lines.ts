import { countUpTo } from '../../lines.ts';

/** A text with `\n` for all its line breaks, and the way back to the places of the text itself. */
export class PlainLines {
  readonly plain: string;
  /** Offsets in `plain` of the line breaks that are `\r\n` in the text. */
  readonly #removed: number[] = [];

  constructor(text: string) {
    for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n', at + 2))
      this.#removed.push(at - this.#removed.length);
    this.plain = this.#removed.length === 0 ? text : text.replaceAll('\r\n', '\n');
  }

  /** The offset in the text of an offset in `plain`; before the `\r` for that of a line break. */
  original(offset: number): number {
    const removed = this.#removed;
    return offset + countUpTo(removed.length, (index) => removed[index]!, offset - 1);
  }
}
