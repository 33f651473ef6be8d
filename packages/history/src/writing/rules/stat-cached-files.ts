import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { Clock } from '@grove/core';
import { errorCode } from '@grove/core';
import { LRUCache } from 'lru-cache';
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
  readonly #parse: (text: string) => Parsed;
  readonly #kept = new LRUCache<string, Kept<Parsed>>({ max: 500 });

  constructor(clock: Clock, parse: (text: string) => Parsed) {
    this.#clock = clock;
    this.#parse = parse;
  }

  /**
   * The parsed file, or null when there is none. Links are followed only where told: git does not follow them
   * in the work tree. Throws `repository_unwritable` for a file that cannot be read or is absurdly large.
   */
  async read(path: string, options: { followLinks: boolean }): Promise<Parsed | null> {
    try {
      if (!options.followLinks && (await lstat(path)).isSymbolicLink()) return null;
      const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stat = await handle.stat({ bigint: true });
        if (!stat.isFile()) return null;
        const key = `${stat.dev}.${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
        const kept = this.#kept.get(path);
        if (kept?.key === key) return kept.parsed;
        if (stat.size > MAX_BYTES) throw unwritable(`${nameOf(path)} is larger than ${MAX_BYTES} bytes`);
        const text = await handle.readFile('latin1');
        const parsed = this.#parse(text);
        if (this.#clock.now() - Number(stat.ctimeNs / 1_000_000n) > SETTLED_MS) {
          this.#kept.set(path, { key, parsed });
        }
        return parsed;
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
      if (code === 'repository_unwritable') throw error;
      throw unwritable(`${nameOf(path)} cannot be read (${code ?? 'unknown error'})`, error);
    }
  }
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
