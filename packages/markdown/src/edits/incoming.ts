import { GroveError } from '@grove/core';

// JSON values nested deeper than this are no properties of a note.
const MAX_DEPTH = 50;

/**
 * Refuses text that no note can hold: NUL characters, and lone surrogates, which have no UTF-8 form. Throws
 * `bad_input`; `name` is the parameter that holds the text.
 */
export function acceptText(name: string, text: string): void {
  if (text.includes('\0')) throw badInput(name, 'it holds a NUL character');
  if (!text.isWellFormed()) throw badInput(name, 'it holds half of a surrogate pair');
}

/** A JSON value as it is kept: copied, negative zero as zero. Throws `bad_input` for anything else. */
export function acceptJson(name: string, value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw badInput(name, 'it is nested too deeply');
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    acceptText(name, value);
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw badInput(name, 'it holds a number that JSON has no form for');
    return value + 0;
  }
  if (Array.isArray(value)) return value.map((item) => acceptJson(name, item, depth + 1));
  if (typeof value !== 'object') throw badInput(name, `a ${typeof value} is no JSON value`);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    acceptText(name, key);
    assign(copy, key, acceptJson(name, item, depth + 1));
  }
  return copy;
}

/** Sets a key of a record; a plain assignment to `__proto__` would change its prototype. */
export function assign(record: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, writable: true, configurable: true });
}

/** What is odd about a content, though it can be written. */
export function contentRemarks(content: string): string[] {
  if (content.includes('\n') || !content.includes('\\n')) return [];
  return ['The content has "\\n" as two characters and no line break; it was written as it came.'];
}

export function badInput(name: string, reason: string): GroveError {
  return new GroveError('bad_input', { name, reason: `${name}: ${reason}` });
}
