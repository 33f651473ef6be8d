import { GroveError } from '@grove/core';

/** Largest JSON-RPC line accepted, in bytes; the same bound as the MCP SDK's own stdio transport. */
export const MAX_LINE_BYTES = 10 * 1024 * 1024;

/**
 * Cuts a byte stream into lines, in linear time whatever the chunks are. A trailing CR is dropped.
 *
 * @example
 * const lines = new LineSplitter();
 * lines.push(Buffer.from('{"a":1}\n{"b"')); // ['{"a":1}']
 * lines.push(Buffer.from(':2}\n')); // ['{"b":2}']
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that `chunk` completes. Throws `bad_input` when one grows past the limit. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#take(chunk.subarray(start, end));
      lines.push(this.#flush());
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
    return lines;
  }

  /** What came after the last line break, and nothing after this call: for handing a stream on. */
  rest(): Buffer {
    const rest = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return rest;
  }

  /** The first line that `chunk` completes, or null; what follows it stays in {@link rest}. */
  first(chunk: Buffer): string | null {
    const end = chunk.indexOf(10);
    if (end < 0) {
      this.#take(chunk);
      return null;
    }
    this.#take(chunk.subarray(0, end));
    const line = this.#flush();
    this.#parts = [chunk.subarray(end + 1)];
    return line;
  }

  #take(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) {
      this.rest();
      throw new GroveError('bad_input', { reason: `a line is longer than ${this.#maxBytes} bytes` });
    }
    this.#parts.push(bytes);
  }

  #flush(): string {
    const line = this.rest().toString('utf8');
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
