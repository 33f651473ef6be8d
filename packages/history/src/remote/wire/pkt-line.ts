/** One line of git's protocol (gitprotocol-common, "pkt-line"): four hex digits of its length, then its bytes. */
export function pktLine(content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

const MB = 1024 * 1024;
const LINE_HEAD = 4;
/** Of all lines of one answer but the data: a repository with a million branches has shorter lists. */
const MAX_TEXT = 64 * MB;
/** git tells each percent of its work: some ten KB. */
const MAX_TALK = MB;

export const FLUSH = Buffer.from('0000');

/** The commit of a line `shallow …`. */
export function shallowOf(line: string): string {
  const [, oid] = /^shallow ([0-9a-f]{40})$/.exec(line) ?? [];
  if (oid === undefined) throw new BrokenLine('it names a commit without parents by no id');
  return oid;
}

/** Thrown for bytes that are no lines of git's protocol. */
export class BrokenLine extends Error {}

/** Thrown for a pack that is sound as far as it goes, and more than is taken. */
export class TooMuch extends BrokenLine {}

/** Reads lines from a stream of bytes, in whatever pieces they come. */
export class PktReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  #text = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The next line's bytes; `flush` between sections, null at the end. */
  async next(): Promise<Buffer | 'flush' | null> {
    const head = await this.#take(4, true);
    if (head === null) return null;
    const digits = head.toString('latin1');
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw new BrokenLine('a line has no length');
    const length = Number.parseInt(digits, 16);
    if (length === 0) return 'flush';
    if (length < 4) throw new BrokenLine('a line is shorter than it may be');
    return length === 4 ? Buffer.alloc(0) : (await this.#take(length - 4, false))!;
  }

  /**
   * As {@link next}, as text without the line break.
   *
   * @throws RemoteSays when the server gives up
   */
  async nextText(): Promise<string | 'flush' | null> {
    const line = await this.next();
    this.#text += LINE_HEAD + (line?.length ?? 0);
    if (this.#text > MAX_TEXT) throw new BrokenLine('it lists more than can be taken');
    if (!Buffer.isBuffer(line)) return line;
    const text = line.toString('utf8').replace(/\n$/, '');
    if (text.startsWith('ERR ')) throw new RemoteSays(text.slice('ERR '.length));
    return text;
  }

  /** All bytes that are left, as they come. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#held.length > 0) yield this.#held;
    this.#held = Buffer.alloc(0);
    for (;;) {
      const { value, done } = await this.#source.next();
      if (done === true) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  }

  /** Null at the very end, where that is allowed. */
  async #take(length: number, mayEnd: boolean): Promise<Buffer | null> {
    const parts = [this.#held];
    let have = this.#held.length;
    while (have < length) {
      const { value, done } = await this.#source.next();
      if (done === true) {
        if (have === 0 && mayEnd) return null;
        throw new BrokenLine('the answer ends in the middle');
      }
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      have += value.byteLength;
    }
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    this.#held = bytes.subarray(length);
    return bytes.subarray(0, length);
  }
}

/** The last word of a server that gives up: fit for a sentence only once it went through `saidByRemote`. */
export class RemoteSays extends Error {}

/**
 * The data of a stream in side-band-64k (gitprotocol-capabilities).
 *
 * @param onText hears of what the server says to people
 * @throws RemoteSays when the server gives up; BrokenLine when it talks more than any server has to say
 */
export async function* sideBand(reader: PktReader, onText: (text: string) => void): AsyncGenerator<Buffer> {
  let talk = 0;
  for (;;) {
    const line = await reader.next();
    if (line === 'flush') return;
    if (line === null) throw new BrokenLine('the answer ends in the middle');
    if (line[0] === 1 && line.length > 1) {
      yield line.subarray(1);
      continue;
    }
    talk += LINE_HEAD + line.length;
    if (talk > MAX_TALK) throw new BrokenLine('it talks and talks in place of sending');
    // Servers show with empty data that they are still at work.
    if (line[0] === 1) continue;
    if (line[0] === 2) onText(line.toString('utf8', 1));
    else if (line[0] === 3) throw new RemoteSays(line.toString('utf8', 1));
    else throw new BrokenLine('the answer has an unknown band');
  }
}
