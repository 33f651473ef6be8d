import { randomBytes } from 'node:crypto';
import { type Clock, GroveError, type VaultPath } from '@grove/core';
import type { WriteAuthor } from '../engine/contract.ts';

/** How long a question stands, and from a yes on how long that holds. */
export const CONFIRM_MS = 5 * 60_000;
/** Open questions of one principal, and of all of them. */
const MOST_OF_ONE = 10;
const MOST = 200;
/** Why a question is settled that the owner decided. */
export const DECIDED = 'it was decided';
/** Five bits each, without letters that pass for others: a person may type it. */
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz0';
const ID_LENGTH = 10;

/** A note that is to be deleted, as it was when that was asked for. */
export interface NoteToDelete {
  readonly path: VaultPath;
  readonly contentHash: string;
}

/** A call that waits for the word of a person. */
export interface WaitingDeletion {
  /** For people alone: no answer to a client holds it. */
  readonly id: string;
  readonly author: WriteAuthor;
  readonly notes: readonly NoteToDelete[];
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Aborts when it no longer waits: decided, used, or void; its reason is a part of a sentence. */
  readonly signal: AbortSignal;
}

interface Entry extends WaitingDeletion {
  readonly over: AbortController;
  state: 'waiting' | 'approved' | 'denied';
  expiresAt: number;
}

/**
 * Deletions that wait for a yes, and yeses that were not used yet. In memory alone, so that a restart cancels them. One
 * belongs to one principal and to notes as they were; it is used once.
 *
 * @example
 * const { id } = confirmations.ask(author, notes);
 * confirmations.approve(id);
 * confirmations.take(author, notes); // true, and false from then on
 */
export class Confirmations {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Opens the question whether this principal may delete these notes; the same question again is the one that is open,
   * and its time goes on.
   *
   * @throws GroveError `confirmation_declined` while the owner's no stands, `confirmations_full`
   */
  ask(author: WriteAuthor, notes: readonly NoteToDelete[]): WaitingDeletion {
    const known = this.#find(author, notes);
    if (known?.state === 'denied') throw new GroveError('confirmation_declined');
    if (known !== null) return known;
    const own = [...this.#entries.values()].filter((entry) => isOf(entry, author)).length;
    if (own >= MOST_OF_ONE || this.#entries.size >= MOST)
      throw new GroveError('confirmations_full', { limit: own >= MOST_OF_ONE ? MOST_OF_ONE : MOST });
    const askedAt = this.#clock.now();
    const over = new AbortController();
    const entry: Entry = {
      id: newId(),
      author,
      notes,
      askedAt,
      over,
      signal: over.signal,
      state: 'waiting',
      expiresAt: askedAt + CONFIRM_MS,
    };
    this.#entries.set(entry.id, entry);
    return entry;
  }

  /** What nobody decided yet, the oldest first. */
  waiting(): readonly WaitingDeletion[] {
    this.#expire();
    return [...this.#entries.values()].filter(({ state }) => state === 'waiting');
  }

  /** Says yes: the same call passes once within the next five minutes. False when nothing waits under this id. */
  approve(id: string): boolean {
    return this.#decide(id, 'approved');
  }

  /** Says no, which stands as long as a yes would. False when nothing waits under this id. */
  deny(id: string): boolean {
    return this.#decide(id, 'denied');
  }

  /** Forgets a question that the client's own person answered with something else than yes. */
  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.#end(entry, 'it was answered');
  }

  /** Uses up a yes to exactly this; false when there is none. */
  take(author: WriteAuthor, notes: readonly NoteToDelete[]): boolean {
    const entry = this.#find(author, notes);
    if (entry?.state !== 'approved') return false;
    this.#end(entry, 'it was used');
    return true;
  }

  /** Hears what a note is now, null for gone: whatever was about other bytes is void. */
  noteIs(path: VaultPath, contentHash: string | null): void {
    for (const entry of this.#entries.values())
      if (entry.notes.some((note) => note.path === path && note.contentHash !== contentHash))
        this.#end(entry, `the note "${path}" changed meanwhile`);
  }

  /** Cancels what a principal asked for, which may nothing more. */
  endOf(principal: Pick<WriteAuthor, 'kind' | 'id'>): void {
    for (const entry of this.#entries.values())
      if (isOf(entry, principal)) this.#end(entry, 'the key was ended meanwhile');
  }

  /** Cancels everything. */
  clear(reason: string): void {
    for (const entry of this.#entries.values()) this.#end(entry, reason);
  }

  #decide(id: string, state: 'approved' | 'denied'): boolean {
    this.#expire();
    const entry = this.#entries.get(id.trim().toLowerCase());
    if (entry?.state !== 'waiting') return false;
    entry.state = state;
    entry.expiresAt = this.#clock.now() + CONFIRM_MS;
    entry.over.abort(DECIDED);
    return true;
  }

  #find(author: WriteAuthor, notes: readonly NoteToDelete[]): Entry | null {
    this.#expire();
    const wanted = subjectOf(notes);
    for (const entry of this.#entries.values())
      if (isOf(entry, author) && subjectOf(entry.notes) === wanted) return entry;
    return null;
  }

  #expire(): void {
    const now = this.#clock.now();
    // A clock that was put back does not make a yes last longer.
    for (const entry of this.#entries.values())
      if (now >= entry.expiresAt || now < entry.expiresAt - 2 * CONFIRM_MS)
        this.#end(entry, 'nobody answered within five minutes');
  }

  #end(entry: Entry, reason: string): void {
    this.#entries.delete(entry.id);
    entry.over.abort(reason);
  }
}

function isOf({ author }: Entry, { kind, id }: Pick<WriteAuthor, 'kind' | 'id'>): boolean {
  return author.kind === kind && author.id === id;
}

/** The same for the same notes in another order. */
function subjectOf(notes: readonly NoteToDelete[]): string {
  return JSON.stringify(notes.map(({ path, contentHash }) => [path, contentHash]).sort());
}

function newId(): string {
  return [...randomBytes(ID_LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}
