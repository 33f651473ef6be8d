// A copy costs up to seven bytes: shorter runs of equal bytes go with what is inserted.
const MIN_COPY = 16;
const MAX_INSERT = 127;
// What older gits copy in one step (gitformat-pack).
const MAX_COPY = 0x10000;
/** Equal stretches are looked for in blocks of so many bytes first. */
const BLOCK = 4096;

/**
 * A delta that makes `result` of `base` (gitformat-pack, "Deltified representation"), for two versions of the same
 * tree or note: what begins, ends, or stands at the same place alike is copied. Null when it would be no shorter than
 * half of the result.
 *
 * @example encodeDelta(Buffer.from('one two'), Buffer.from('one two three'))
 */
export function encodeDelta(base: Buffer, result: Buffer): Buffer | null {
  const parts: Buffer[] = [Buffer.from([...size(base.length), ...size(result.length)])];
  const limit = result.length / 2;
  let length = parts[0]!.length;
  const add = (part: Buffer): boolean => {
    parts.push(part);
    length += part.length;
    return length < limit;
  };
  for (const { from, to, at } of segments(base, result)) {
    const fits = at === null ? add(insert(result, from, to)) : add(copy(at, to - from));
    if (!fits) return null;
  }
  return length < limit ? Buffer.concat(parts) : null;
}

/** A stretch of the result: copied from `at` in the base, or new. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly at: number | null;
}

function* segments(base: Buffer, result: Buffer): Generator<Segment> {
  const prefix = equalFrom(base, result, 0, 0, Math.min(base.length, result.length));
  if (prefix > 0) yield { from: 0, to: prefix, at: 0 };
  if (base.length === result.length) {
    yield* sameLength(base, result, prefix);
    return;
  }
  let suffix = 0;
  const most = Math.min(base.length, result.length) - prefix;
  while (suffix < most && base[base.length - 1 - suffix] === result[result.length - 1 - suffix]) suffix++;
  const end = result.length - suffix;
  if (end > prefix) yield { from: prefix, to: end, at: null };
  if (suffix > 0) yield { from: end, to: result.length, at: base.length - suffix };
}

/** Versions of a tree in which entries only got other ids: what is alike stands at the same place. */
function* sameLength(base: Buffer, result: Buffer, start: number): Generator<Segment> {
  let inserted = start;
  let at = start;
  while (at < result.length) {
    const equal = equalFrom(base, result, at, at, result.length - at);
    if (equal < MIN_COPY && at + equal < result.length) {
      at += equal + 1;
      continue;
    }
    if (at > inserted) yield { from: inserted, to: at, at: null };
    if (equal > 0) yield { from: at, to: at + equal, at };
    at += equal;
    inserted = at;
  }
  if (at > inserted) yield { from: inserted, to: at, at: null };
}

/** How many bytes are alike from these places on, at most `most`. */
function equalFrom(base: Buffer, result: Buffer, inBase: number, inResult: number, most: number): number {
  let equal = 0;
  while (
    equal + BLOCK <= most &&
    base.compare(
      result,
      inResult + equal,
      inResult + equal + BLOCK,
      inBase + equal,
      inBase + equal + BLOCK,
    ) === 0
  ) {
    equal += BLOCK;
  }
  while (equal < most && base[inBase + equal] === result[inResult + equal]) equal++;
  return equal;
}

function insert(result: Buffer, from: number, to: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = from; at < to; at += MAX_INSERT) {
    const end = Math.min(at + MAX_INSERT, to);
    parts.push(Buffer.from([end - at]), result.subarray(at, end));
  }
  return Buffer.concat(parts);
}

function copy(start: number, length: number): Buffer {
  const bytes: number[] = [];
  for (let done = 0; done < length; done += MAX_COPY) {
    const offset = start + done;
    const step = Math.min(MAX_COPY, length - done);
    const code = bytes.length;
    bytes.push(0x80);
    for (let i = 0; i < 4; i++) {
      const byte = Math.floor(offset / 2 ** (8 * i)) & 0xff;
      if (byte === 0) continue;
      bytes[code]! |= 1 << i;
      bytes.push(byte);
    }
    // A length of 0 means the longest.
    for (let i = 0; i < 2 && step < MAX_COPY; i++) {
      const byte = (step >> (8 * i)) & 0xff;
      if (byte === 0) continue;
      bytes[code]! |= 16 << i;
      bytes.push(byte);
    }
  }
  return Buffer.from(bytes);
}

function size(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push(0x80 | (rest & 0x7f));
  return [...bytes, rest];
}
