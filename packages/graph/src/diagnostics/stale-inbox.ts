import type { GardenSettings, NoteRow, View } from '@grove/vault';

/** A note that waits in an inbox. */
export interface WaitingNote {
  readonly row: NoteRow;
  /** Days since it was changed. */
  readonly untouched: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** Folders that people keep for what has no place yet, numbers and signs before the name aside. */
const INBOX = /^[^\p{L}]*(?:inbox|in[ -]?box|in[ -]tray|fleeting(?: notes)?|unsorted|to[ -]file)$/iu;

/** Notes that have waited in the inbox for longer than the owner wants, the longest first, at `now` in milliseconds. */
export function staleInbox(view: View, now: number, garden: GardenSettings): readonly WaitingNote[] {
  return view
    .notes()
    .filter((row) => isInInbox(row, garden))
    .map((row) => ({ row, untouched: (now - view.times(row).modified) / DAY }))
    .filter(({ untouched }) => untouched >= garden.inboxDays)
    .sort((a, b) => b.untouched - a.untouched);
}

/** By the owner's setting; without one, by the name of the outermost folder. */
function isInInbox({ path }: NoteRow, { inbox, leaveOut }: GardenSettings): boolean {
  if (leaveOut.some((rule) => rule.matches(path))) return false;
  if (inbox !== null) return inbox.some((rule) => rule.matches(path));
  const slash = path.indexOf('/');
  return slash > 0 && INBOX.test(path.slice(0, slash));
}
