import { GroveError, type VaultPath } from '@grove/core';

/** What a person is asked before notes go to the trash. */
export interface DeletionQuestion {
  /** Tells one question from another; for the transport alone. */
  readonly id: string;
  /** Paths of the notes. */
  readonly notes: readonly string[];
  /** Aborts when the question is settled otherwise. */
  readonly signal: AbortSignal;
}

/**
 * What became of a question: the person said yes, or no; closed it or let it be; this answer is one to an earlier
 * question; or nobody can be asked this way.
 */
export type DeletionAnswer = 'accepted' | 'declined' | 'unanswered' | 'outdated' | 'unavailable';

/** Asks whoever sits at the client. Never rejects. */
export type AskPerson = (question: DeletionQuestion) => Promise<DeletionAnswer>;

/** Notes that may be deleted, each with the hash of the bytes that the yes was for. */
export type ConfirmedNotes = ReadonlyMap<VaultPath, string>;

/** The refusal of what nobody could be asked about from here. */
export function confirmationNeeded(notes: readonly VaultPath[]): GroveError {
  return new GroveError('confirmation_needed', { notes });
}
