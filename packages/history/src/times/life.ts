/** What the history so far says of one path. Times are milliseconds since the epoch. */
export interface Life {
  /** Null before its first change. */
  readonly created: number | null;
  /** Null while only mechanical commits touched it. */
  readonly modified: number | null;
  /** True when an outside edit was its first change: the note was there before, nobody knows since when. */
  readonly found: boolean;
  readonly alive: boolean;
  /** The blob it has, or had before it was deleted. */
  readonly blob: string | null;
}

/** One change of a path, in the order of the history (parents before children). */
export interface LifeChange {
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly time: number;
  readonly origin: Origin;
  readonly blob: string;
  /** For a note that was renamed in this commit: what its former path had. */
  readonly carried: Carried | null;
}

/** What a note that is renamed brings from its former path. */
export type Carried = Pick<Life, 'created' | 'modified' | 'found'>;

/**
 * Who meant a commit: somebody; somebody whose words Grove found on disk and committed for them (`outside`), which
 * count from when they were saved; nobody (`mechanical`), so that it does not count for `modified`.
 */
export type Origin = 'meant' | 'outside' | 'mechanical';

export const UNBORN: Life = { created: null, modified: null, found: false, alive: false, blob: null };

/** Id of the empty blob: two empty notes are not the same note. */
export const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/**
 * The path's life after one more change. Created is the earliest time since it last came to be, modified the
 * latest that no mechanical commit made: a rebase or a skewed clock does not turn them round. A note that
 * was renamed, or that comes back with the bytes it had, goes on with the life it had.
 */
export function live(life: Life, change: LifeChange): Life {
  if (change.kind === 'deleted') return { ...life, alive: false, blob: change.blob };
  const { time, blob } = change;
  const restored = life.blob === blob && blob !== EMPTY_BLOB;
  const goesOn = change.kind === 'modified' || life.alive || restored;
  const before = change.carried ?? (goesOn ? life : UNBORN);
  const modified = change.origin === 'mechanical' ? before.modified : Math.max(before.modified ?? time, time);
  const found = before.created === null ? change.origin === 'outside' : before.found;
  return { created: Math.min(before.created ?? time, time), modified, found, alive: true, blob };
}
