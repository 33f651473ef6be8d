import type { TextRun } from '@grove/native';
import { countUpTo } from '../lines.ts';
import type { Range } from '../model.ts';

/**
 * Where a body's plain text stands: the text events of the parser, outside code, math and raw HTML, less
 * what Obsidian comments out. Offsets asked for and answered are into the whole note.
 */
export class TextRuns {
  readonly #runs: readonly TextRun[];
  readonly #offset: number;
  #hidden: readonly Range[] = [];

  /** `runs` are in document order; `offset` is where their text starts in the note. */
  constructor(runs: readonly TextRun[], offset: number) {
    this.#runs = runs;
    this.#offset = offset;
  }

  /** Takes ranges (sorted, apart) out of the text. */
  hide(ranges: readonly Range[]): void {
    this.#hidden = ranges;
  }

  /** The end of the run of plain text outside any link that holds `offset`, or -1 when none does. */
  plainEnd(offset: number): number {
    const target = offset - this.#offset;
    const run = lastStartingAt(this.#runs, target);
    if (run === undefined || target >= run.end || run.inLink || run.inImage) return -1;
    return isCovered(this.#hidden, offset) ? -1 : run.end + this.#offset;
  }
}

/** True when one of the ranges (sorted, apart) holds the offset. */
export function isCovered(ranges: readonly Range[], offset: number): boolean {
  const range = lastStartingAt(ranges, offset);
  return range !== undefined && offset < range.end;
}

/** The last of the ranges, sorted by start, that starts at or before the offset. */
export function lastStartingAt<T extends Range>(ranges: readonly T[], offset: number): T | undefined {
  return ranges[countUpTo(ranges.length, (index) => ranges[index]!.start, offset) - 1];
}
