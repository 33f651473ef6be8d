import { GroveError, isGroveError, type VaultPath } from '@grove/core';
import type { FileNow } from '../engine/contract.ts';
import type { NoteWriteCaller, NoteWriteRequest, NoteWritesOptions } from '../notes/contract.ts';
import type { PreparedOperation } from '../notes/plan-note.ts';
import { requireCurrent } from '../notes/preconditions.ts';
import { isShownNow } from '../notes/shown-now.ts';
import { DECIDED, type NoteToDelete, type WaitingDeletion } from './confirmations.ts';
import { type AskPerson, type ConfirmedNotes, confirmationNeeded, type DeletionAnswer } from './question.ts';

/** Notes that one question may be about: who is asked has to read their names. */
export const MOST_CONFIRMED = 20;

const NONE: ConfirmedNotes = new Map();

type Setting = Pick<NoteWritesOptions, 'engine' | 'deletePolicy' | 'confirmations'> & {
  readonly caller: NoteWriteCaller;
  readonly request: NoteWriteRequest;
};

/**
 * Gets the word of a person for what a call deletes, where the owner of the vault wants that: the yes that was given
 * before, or the answer of the caller's own person. One question for the whole call, outside of the queue; nothing of the
 * call is done before. Deletions that would be refused anyway are not asked about.
 *
 * @throws GroveError `confirmation_needed`, `confirmation_declined`, `confirmation_unanswered`, `confirmation_void`,
 * `confirmation_too_large`, `confirmations_full`; `bad_input` where the batch changes a note and deletes it
 */
export async function confirmDeletions(
  prepared: readonly PreparedOperation[],
  setting: Setting,
): Promise<ConfirmedNotes> {
  const deletions = prepared.filter(({ operation }) => operation.action === 'delete');
  if (deletions.length === 0 || setting.request.dryRun || setting.deletePolicy() !== 'confirm') return NONE;
  refuseChangedToo(prepared);
  const notes = await notesNow(deletions, setting);
  if (notes.length === 0) return NONE;
  if (notes.length > MOST_CONFIRMED)
    throw new GroveError('confirmation_too_large', { count: notes.length, limit: MOST_CONFIRMED });
  const { confirmations, caller } = setting;
  if (!confirmations.take(caller.author, notes)) await askFor(notes, setting);
  return new Map(notes.map(({ path, contentHash }) => [path, contentHash]));
}

/** Resolves when there was a yes, which is used up then. */
async function askFor(notes: readonly NoteToDelete[], { caller, confirmations }: Setting): Promise<void> {
  const waiting = confirmations.ask(caller.author, notes);
  const paths = notes.map(({ path }) => path);
  const answer = await answerTo(waiting, paths, caller.confirm);
  if (answer === 'accepted') confirmations.approve(waiting.id);
  // It may have been approved elsewhere, whatever became of the question here.
  if (confirmations.take(caller.author, notes)) return;
  if (!waiting.signal.aborted && answer === 'unavailable') throw confirmationNeeded(paths);
  if (!waiting.signal.aborted && answer !== 'outdated') {
    confirmations.drop(waiting.id);
    throw new GroveError(answer === 'declined' ? 'confirmation_declined' : 'confirmation_unanswered');
  }
  if (waiting.signal.reason === DECIDED) throw new GroveError('confirmation_declined');
  throw new GroveError('confirmation_void', {
    reason: waiting.signal.aborted ? String(waiting.signal.reason) : 'it was for an earlier question',
  });
}

async function answerTo(
  { id, signal }: WaitingDeletion,
  notes: readonly VaultPath[],
  ask: AskPerson | null,
): Promise<DeletionAnswer> {
  // With a yes that came before, nobody has to be asked.
  if (ask === null || signal.aborted) return 'unavailable';
  const settled = new Promise<DeletionAnswer>((resolve) => {
    signal.addEventListener('abort', () => resolve('unavailable'), { once: true });
  });
  return await Promise.race([ask({ id, notes, signal }), settled]);
}

/** What is there of the notes and may go, as the disk has it now. */
async function notesNow(
  deletions: readonly PreparedOperation[],
  { engine, caller }: Setting,
): Promise<readonly NoteToDelete[]> {
  const notes = new Map<VaultPath, NoteToDelete>();
  await engine.apply({
    paths: [...new Set(deletions.map(({ target }) => target.path))],
    author: caller.author,
    idempotency: null,
    plan: async (files) => {
      notes.clear();
      for (const one of deletions) {
        const file = await fileToDelete(one, files, caller);
        if (file !== null)
          notes.set(one.target.path, { path: one.target.path, contentHash: file.contentHash });
      }
      return { changes: [], subject: '', trailers: {}, mechanical: true, answer: null };
    },
  });
  return [...notes.values()];
}

/** Null for what the deletion itself will refuse, with its reason. */
async function fileToDelete(
  { operation, target: { path } }: PreparedOperation,
  files: ReadonlyMap<VaultPath, FileNow | null>,
  caller: NoteWriteCaller,
): Promise<FileNow | null> {
  const file = files.get(path) ?? null;
  if (file === null || !(await isShownNow(caller, path, file.bytes))) return null;
  try {
    requireCurrent(operation, operation.ifHash, { path, file, also: new Set() });
  } catch (error) {
    if (isGroveError(error)) return null;
    throw error;
  }
  return file;
}

/** The yes is to the bytes of now: what the same call changes first would be others. */
function refuseChangedToo(prepared: readonly PreparedOperation[]): void {
  const changed = new Set(
    prepared
      .filter(({ operation }) => operation.action !== 'delete')
      .flatMap(({ target, destination }) => [target.path, ...(destination === null ? [] : [destination])]),
  );
  const both = prepared.find(
    ({ operation, target }) => operation.action === 'delete' && changed.has(target.path),
  );
  if (both !== undefined)
    throw new GroveError('bad_input', {
      name: 'operations',
      reason: `operation ${both.index} deletes "${both.target.path}", which another one changes: a person is asked about deletions, so send that in a call of its own`,
    });
}
