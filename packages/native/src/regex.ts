import type { NativeRegex } from './binding.ts';
import { native } from './native.ts';

export interface RegexFlags {
  caseInsensitive?: boolean;
  /** `^` and `$` match at lines. */
  multiLine?: boolean;
  /** `.` matches line ends. */
  dotAll?: boolean;
}

export interface RegexCaptures {
  /** UTF-16 offsets of the whole match. */
  start: number;
  end: number;
  /** Text of each group from 1 on; null for one that took no part. */
  groups: (string | null)[];
  named: Record<string, string | null>;
}

/**
 * A regular expression that runs in time linear in the text, whatever the pattern: no look-around, no
 * back-references (the syntax is that of Rust's regex crate, close to JavaScript's with the `u` flag). Where a
 * match ends, an empty match does not begin.
 *
 * Searching for many matches of a pattern that looks far ahead each time ends after two seconds with an Error
 * `regex_timeout`.
 *
 * The constructor compiles on the calling thread and takes small patterns, of our own; `compile` takes any.
 *
 * @throws Error `bad_regex` with the reason, and `position`, the UTF-16 offset in the pattern where known
 * @example new LinearRegex('(\\d+)-(\\d+)').replaceAll('1-2', '$2-$1') // '2-1'
 */
export class LinearRegex {
  readonly #native: NativeRegex;

  constructor(pattern: string | NativeRegex, flags: RegexFlags = {}) {
    this.#native =
      typeof pattern === 'string' ? new native.LinearRegex(pattern, ...switches(flags)) : pattern;
  }

  /** Compiles off the event loop, which takes tens of milliseconds for a large pattern. Rejects with `bad_regex`. */
  static async compile(pattern: string, flags: RegexFlags = {}): Promise<LinearRegex> {
    return new LinearRegex(await native.compileRegex(pattern, ...switches(flags)));
  }

  test(text: string): boolean {
    return this.#native.test(text);
  }

  /** At most `limit` matches as UTF-16 pairs (start, end), in order, not overlapping. */
  matches(text: string, limit: number): Uint32Array {
    return this.#native.matches(text, limit);
  }

  /** `matches` off the event loop, for long texts. */
  matchesAsync(text: string, limit: number): Promise<Uint32Array> {
    return this.#native.matchesAsync(text, limit);
  }

  /** The first match at or after UTF-16 offset `from`, with its groups, or null. */
  captures(text: string, from = 0): RegexCaptures | null {
    const offsets = this.#native.captures(text, from);
    if (offsets === null) return null;
    const groups: (string | null)[] = [];
    for (let at = 2; at < offsets.length; at += 2)
      groups.push(offsets[at]! < 0 ? null : text.slice(offsets[at], offsets[at + 1]));
    const named: Record<string, string | null> = Object.create(null);
    for (const [index, name] of this.#native.groupNames().entries())
      if (name !== null && index > 0) named[name] = groups[index - 1] ?? null;
    return { start: offsets[0]!, end: offsets[1]!, groups, named };
  }

  /** Replaces every match; `$1`…`$99`, `$<name>`, `$&` and `$$` in the replacement mean what JavaScript means. */
  replaceAll(text: string, replacement: string): string {
    return this.#native.replaceAll(text, replacement);
  }

  /** `replaceAll` off the event loop, for long texts. */
  replaceAllAsync(text: string, replacement: string): Promise<string> {
    return this.#native.replaceAllAsync(text, replacement);
  }
}

function switches(flags: RegexFlags): [caseInsensitive: boolean, multiLine: boolean, dotAll: boolean] {
  const { caseInsensitive = false, multiLine = false, dotAll = false } = flags;
  return [caseInsensitive, multiLine, dotAll];
}
