import type { OutlineRecord, TextRun } from '@grove/native';
import { lastStartingAt } from './text-runs.ts';

/** From `start` on (an offset in the changed text), `shift` added gives the offset in the original one. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly shift: number;
}

/** Where the places of a text stood before the indentation of some lines was changed. */
export class OffsetMap {
  readonly #stretches: Stretch[] = [{ start: 0, end: Number.POSITIVE_INFINITY, shift: 0 }];

  /** Says that what stands at `changed` stood at `original`; called in the order of the text. */
  add(changed: number, original: number): void {
    const last = this.#stretches[this.#stretches.length - 1]!;
    if (original - changed === last.shift) return;
    this.#stretches[this.#stretches.length - 1] = { ...last, end: original };
    this.#stretches.push({ start: changed, end: Number.POSITIVE_INFINITY, shift: original - changed });
  }

  /** The original offset; one inside new indentation is never after the text that it indents. */
  original(offset: number): number {
    const { shift, end } = lastStartingAt(this.#stretches, offset)!;
    return Math.min(offset + shift, end);
  }

  record<T extends OutlineRecord>(record: T): T {
    const moved: Record<string, unknown> = { ...record };
    for (const key of OFFSETS) if (typeof moved[key] === 'number') moved[key] = this.original(moved[key]);
    return moved as unknown as T;
  }

  run(run: TextRun): TextRun {
    return { ...run, start: this.original(run.start), end: this.original(run.end) };
  }
}

/** Every field of a record that is an offset. */
const OFFSETS = [
  'start',
  'end',
  'contentStart',
  'contentEnd',
  'taskOffset',
  'textStart',
  'textEnd',
  'destinationStart',
  'destinationEnd',
] as const;
