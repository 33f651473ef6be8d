import { blobId, contentHash } from '@grove/core';
import type { JournalRecord } from '../ledger/journal-row.ts';
import type { KeptOutcome, LedgerEntry } from '../ledger/ledger.ts';
import type { EngineOutcome } from './contract.ts';

/** The outcome of a write that changed nothing. */
export const NOTHING_DONE: EngineOutcome = {
  commit: null,
  files: [],
  conflictSaved: [],
  replayed: false,
  answer: null,
  followUp: null,
};

/** What a write answers, as its record has it. */
export function outcomeOf(record: JournalRecord, commit: string | null): KeptOutcome {
  return { commit, files: record.written, conflictSaved: record.conflictSaved, answer: record.answer };
}

/** Who a key of idempotency belongs to. */
export function principalOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind}:${id}`;
}

/** What a write that stands leaves in the ledger. */
export function ledgerEntry(record: JournalRecord, commit: string | null, at: number): LedgerEntry {
  const notes: LedgerEntry['notes'][number][] = [];
  const bases: LedgerEntry['bases'][number][] = [];
  for (const { path, before, after, storedBefore, storedAfter, sourceHash } of record.files) {
    const bytesOf = [
      [before, storedBefore],
      [after, storedAfter],
    ] as const;
    for (const [bytes, stored] of bytesOf) {
      if (bytes === null || stored === null) continue;
      const hash = contentHash(bytes);
      bases.push({ path, hash, base: { contentHash: hash, blob: blobId(stored) } });
    }
    if (after === null || storedAfter === null) {
      notes.push({ path, note: null });
      continue;
    }
    const diskHash = contentHash(after);
    const blob = blobId(storedAfter);
    const source = sourceHash ?? diskHash;
    notes.push({ path, note: { sourceHash: source, diskHash, blob, commit: commit ?? '' } });
    if (source !== diskHash) bases.push({ path, hash: source, base: { contentHash: diskHash, blob } });
  }
  const { author, idempotency } = record;
  const answer =
    author === null || idempotency === null
      ? null
      : { principal: principalOf(author), ...idempotency, outcome: outcomeOf(record, commit) };
  return { at, notes, bases, answer };
}
