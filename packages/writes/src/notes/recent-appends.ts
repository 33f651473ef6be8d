import { createHash } from 'node:crypto';
import type { Clock, VaultPath } from '@grove/core';
import { LRUCache } from 'lru-cache';
import type { WriteAuthor } from '../engine/contract.ts';
import type { NoteOperation } from './contract.ts';

/** A client that lost an answer sends the same text again: so long it counts as sent once. */
const WINDOW_MS = 2 * 60_000;
const KEPT = 2_000;

/** One append under way or done; whoever asks for the same text meanwhile is told that it is there. */
interface Append {
  readonly at: number;
}

/** What was appended lately, by whom: so that a call that is sent twice appends once. */
export class RecentAppends {
  readonly #clock: Clock;
  readonly #appends = new LRUCache<string, Append>({ max: KEPT });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Notes an append that is about to be made. The answer takes it back, for when nothing comes of it; null when the
   * same principal appended the same text to the same place within two minutes. `isGone`: the note is known to hold
   * those words no more, so that this is no second sending.
   */
  begin(
    author: WriteAuthor,
    path: VaultPath,
    operation: NoteOperation,
    isGone: boolean,
  ): (() => void) | null {
    const key = keyOf(author, path, operation);
    const now = this.#clock.now();
    const known = this.#appends.get(key);
    if (!isGone && known !== undefined && now - known.at < WINDOW_MS && now >= known.at) return null;
    const append: Append = { at: now };
    this.#appends.set(key, append);
    return () => {
      if (this.#appends.peek(key) === append) this.#appends.delete(key);
    };
  }
}

function keyOf(
  { kind, id }: WriteAuthor,
  path: VaultPath,
  { action, section, content }: NoteOperation,
): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, id, path, action, section, content]))
    .digest('base64url');
}
