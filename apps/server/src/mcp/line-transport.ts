import type { Duplex } from 'node:stream';
import { randomId } from '@grove/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { inRequest } from '../current-request.ts';
import { LineSplitter } from '../local/lines.ts';
import { LINE_TOO_LONG, parseLine } from './json-rpc.ts';

/**
 * MCP over one duplex stream, a message a line. Beside what the SDK's stdio transport does, it answers malformed
 * lines with the protocol's own error, and a client that does not read its answers is not read from either.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #stream: Duplex;
  readonly #lines = new LineSplitter();
  #early: Buffer;
  #closed = false;

  /** @param early bytes that were read from the stream before, while something else was expected */
  constructor(stream: Duplex, early: Buffer) {
    this.#stream = stream;
    this.#early = early;
  }

  async start(): Promise<void> {
    this.#stream.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#stream.on('error', (error) => this.onerror?.(error));
    this.#stream.on('end', () => void this.close());
    this.#stream.on('close', () => void this.close());
    this.#stream.on('drain', () => this.#stream.resume());
    const early = this.#early;
    this.#early = Buffer.alloc(0);
    if (early.length > 0) this.#read(early);
    this.#stream.resume();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stream.end();
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    let lines: string[];
    try {
      lines = this.#lines.push(chunk);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      this.#write(LINE_TOO_LONG);
      void this.close();
      return;
    }
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed.kind === 'malformed') this.#write(parsed.answer);
      if (parsed.kind === 'message') this.#take(parsed.message);
    }
  }

  #take(message: JSONRPCMessage): void {
    inRequest(randomId(), () => this.onmessage?.(message));
  }

  #write(line: string): void {
    if (this.#closed || this.#stream.writableEnded) return;
    if (!this.#stream.write(`${line}\n`)) this.#stream.pause();
  }
}
