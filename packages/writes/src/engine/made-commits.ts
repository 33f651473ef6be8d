import { blobId } from '@grove/core';
import type { MadeCommit } from '@grove/history';
import type { JournalRecord } from '../ledger/journal-row.ts';

/** The commits of a write that stands, as far as the times of its notes go. */
export function madeCommits({ commits, files }: JournalRecord): MadeCommit[] {
  const byPath = new Map(files.map((file) => [file.diskPath, file]));
  return commits.map(({ message, author, committer, changes }) => ({
    message,
    author,
    committer,
    notes: changes.map(({ diskPath, content }) => {
      const file = byPath.get(diskPath);
      const stored = (content === 'before' ? file?.storedBefore : file?.storedAfter) ?? null;
      return { path: diskPath, blob: stored === null ? null : blobId(stored) };
    }),
  }));
}
