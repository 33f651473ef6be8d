import { type Commit, trailerLines, trailers } from '../objects/commit.ts';
import type { Origin } from './life.ts';

/** Value of `Grove-Mechanical` for what Grove found on disk and committed for whoever wrote it. */
const OUTSIDE = 'outside-edit';
const SAVED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) (.+)$/;

/** Who meant a commit, by its trailer `Grove-Mechanical`. */
export function originOf({ message }: Pick<Commit, 'message'>): Origin {
  const mechanical = trailers(message).get('grove-mechanical');
  if (mechanical === undefined) return 'meant';
  return mechanical === OUTSIDE ? 'outside' : 'mechanical';
}

/**
 * When the notes of an outside edit were saved, in milliseconds, by path in NFC: only those that its author time does
 * not tell, from trailers `Grove-Modified: 2026-11-30T08:12:00Z Projects/Barrel.md`. Nothing was saved after the commit.
 */
export function savedTimes({
  message,
  committer,
}: Pick<Commit, 'message' | 'committer'>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const [token, value] of trailerLines(message)) {
    const [, moment, path] = (token === 'grove-modified' && SAVED.exec(value)) || [];
    const time = Date.parse(moment ?? '');
    if (path !== undefined && !Number.isNaN(time))
      times.set(path.normalize('NFC'), Math.min(time, committer.time));
  }
  return times;
}
