import { VECTOR_KEY_BYTES } from '@grove/native';

/** A text of a note, under the number that its vector has in memory. */
export interface TextRecord {
  readonly row: number;
  readonly note: number;
  readonly key: string;
  /** True for the first text of a note, its head. */
  readonly isHead: boolean;
}

/** Every text, the heads of notes apart from their parts. */
export interface TextColumns {
  readonly heads: TextColumn;
  readonly parts: TextColumn;
}

/** Very many texts in a small part of the memory that records of them would take. */
export class TextColumn {
  readonly #rows: number[] = [];
  readonly #notes: number[] = [];
  #keys = Buffer.alloc(VECTOR_KEY_BYTES * 1024);

  /** @param key 16 bytes in base64url */
  add(row: number, note: number, key: string): void {
    const from = this.#rows.length * VECTOR_KEY_BYTES;
    if (from === this.#keys.length) this.#keys = Buffer.concat([this.#keys, Buffer.alloc(from)]);
    this.#keys.write(key, from, VECTOR_KEY_BYTES, 'base64url');
    this.#rows.push(row);
    this.#notes.push(note);
  }

  /** Rows, notes and the bytes of the keys, as a `VectorSet` takes them. */
  arrays(): [Uint32Array, Uint32Array, Uint8Array] {
    const keys = this.#keys.subarray(0, this.#rows.length * VECTOR_KEY_BYTES);
    return [Uint32Array.from(this.#rows), Uint32Array.from(this.#notes), keys];
  }

  /** Row and note of each. */
  *places(): Iterable<readonly [row: number, note: number]> {
    for (const [at, row] of this.#rows.entries()) yield [row, this.#notes[at]!];
  }

  /** Those at these places. */
  at(places: Uint32Array, isHead: boolean): TextRecord[] {
    return Array.from(places, (place) => {
      const from = place * VECTOR_KEY_BYTES;
      const key = this.#keys.toString('base64url', from, from + VECTOR_KEY_BYTES);
      return { row: this.#rows[place]!, note: this.#notes[place]!, key, isHead };
    });
  }
}
