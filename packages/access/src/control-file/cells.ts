import type { SQLOutputValue } from 'node:sqlite';
import type { GroveError } from '@grove/core';
import { damaged } from './faults.ts';

const NONE: readonly string[] = Object.freeze([]);

/** One row as SQLite gives it. */
export type Cells = Readonly<Record<string, SQLOutputValue>>;

/**
 * Reads the cells of the rows of one table. A value that Grove did not write is damage: what limits someone must not
 * pass for no limit because it cannot be read.
 *
 * @example new CellReader('keys').text(cells.name)
 */
export class CellReader {
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** The error for a row that holds what Grove does not write. */
  unreadable(cause?: unknown): GroveError {
    return damaged(`a row of the ${this.#table} holds what Grove does not write`, cause);
  }

  text(cell: SQLOutputValue | undefined): string {
    if (typeof cell !== 'string') throw this.unreadable();
    return cell;
  }

  textOrNull(cell: SQLOutputValue | undefined): string | null {
    return cell === null ? null : this.text(cell);
  }

  number(cell: SQLOutputValue | undefined): number {
    if (typeof cell !== 'number') throw this.unreadable();
    return cell;
  }

  numberOrNull(cell: SQLOutputValue | undefined): number | null {
    return cell === null ? null : this.number(cell);
  }

  json(cell: SQLOutputValue | undefined): unknown {
    try {
      return JSON.parse(this.text(cell));
    } catch (error) {
      if (error instanceof SyntaxError) throw this.unreadable(error);
      throw error;
    }
  }

  /** A list of texts, frozen. */
  list(cell: SQLOutputValue | undefined): readonly string[] {
    // Most lists of most rows.
    if (cell === '[]') return NONE;
    return this.textList(this.json(cell));
  }

  /** The same of a value inside JSON. */
  textList(value: unknown): readonly string[] {
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) throw this.unreadable();
    return Object.freeze(value);
  }
}
