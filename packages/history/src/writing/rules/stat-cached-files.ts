import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
} from 'node:fs';
import type { Clock } from '@grove/core';
import { errorCode } from '@grove/core';
import { LRUCache } from 'lru-cache';
import { type OnePass, PassAnswers } from '../one-pass.ts';
import { unwritable } from '../write-failure.ts';

interface Kept<Parsed> {
  readonly key: string;
  readonly parsed: Parsed;
}

const MAX_BYTES = 8 * 1024 * 1024;
// A file that changed so shortly ago may change again without its times showing it.
const SETTLED_MS = 2000;

/** Small files that say how git treats others, parsed once for as long as their stat stays. */
export class StatCachedFiles<Parsed extends object> {
  readonly #clock: Clock;
  readonly #seen: PassAnswers<Parsed | null>;
  readonly #parse: (text: string) => Parsed;
  readonly #kept = new LRUCache<string, Kept<Parsed>>({ max: 500 });

  constructor(clock: Clock, pass: OnePass, parse: (text: string) => Parsed) {
    this.#clock = clock;
    this.#seen = new PassAnswers(pass);
    this.#parse = parse;
  }

  /**
   * The parsed file, or null when there is none. Links are followed only where told: git does not follow them
   * in the work tree. Throws `repository_unwritable` for a file that cannot be read or is absurdly large.
   */
  read(path: string, { followLinks }: { followLinks: boolean }): Parsed | null {
    return this.#seen.get(path, () => this.#look(path, followLinks));
  }

  #look(path: string, followLinks: boolean): Parsed | null {
    try {
      const look = followLinks ? statSync : lstatSync;
      const seen = look(path, { bigint: true, throwIfNoEntry: false });
      if (seen === undefined || !seen.isFile()) return null;
      const kept = this.#kept.get(path);
      return kept?.key === keyOf(seen) ? kept.parsed : this.#readNow(path);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
      if (code === 'repository_unwritable') throw error;
      throw unwritable(`${nameOf(path)} cannot be read (${code ?? 'unknown error'})`, error);
    }
  }

  #readNow(path: string): Parsed | null {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(file, { bigint: true });
      if (!stat.isFile()) return null;
      if (stat.size > MAX_BYTES) throw unwritable(`${nameOf(path)} is larger than ${MAX_BYTES} bytes`);
      const parsed = this.#parse(readFileSync(file, 'latin1'));
      if (this.#clock.now() - Number(stat.ctimeNs / 1_000_000n) > SETTLED_MS) {
        this.#kept.set(path, { key: keyOf(stat), parsed });
      }
      return parsed;
    } finally {
      closeSync(file);
    }
  }
}

function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}`;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
