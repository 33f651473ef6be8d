import { contentHash, GroveError, type VaultPath } from '@grove/core';
import type { EngineOutcome, FileNow, WriteEngine } from '../engine/contract.ts';
import type { NoteWriteCaller } from '../notes/contract.ts';

/** A copy of a conflict, as it was read, and where its words shall be. */
export interface CopyToSettle {
  readonly copy: VaultPath;
  readonly copyHash: string;
  /** The note that it takes the place of, or a new one. */
  readonly to: VaultPath;
  /** The hash that the note at `to` must have; null where none may be. */
  readonly toHash: string | null;
}

/**
 * Puts the bytes of a copy in the place of a note, or makes a note of their own of them; the copy goes in the same
 * commit. What the note said until then stays in the history.
 *
 * @throws GroveError `read_only`, `scope_missing`, the refusals of a write policy, `note_not_found`, `stale_hash`,
 * `note_exists`, and what the engine throws
 */
export async function settleCopy(
  engine: WriteEngine,
  { author, may, policy }: NoteWriteCaller,
  wish: CopyToSettle,
): Promise<EngineOutcome> {
  const { copy, to } = wish;
  if (policy.readOnly) throw new GroveError('read_only');
  if (!may.write) throw new GroveError('scope_missing', { scope: 'write' });
  for (const path of [copy, to]) {
    const refusal = policy.refusal(path);
    if (refusal !== null) throw refusal;
  }
  return await engine.apply({
    paths: [copy, to],
    author,
    idempotency: null,
    plan: (files) => {
      const source = requireAsRead(copy, files.get(copy) ?? null, wish.copyHash);
      const there = files.get(to) ?? null;
      if (wish.toHash !== null) requireAsRead(to, there, wish.toHash);
      else if (there !== null) throw new GroveError('note_exists', { path: to });
      return {
        changes: [
          { path: to, after: source.bytes, ...(there === null ? { access: source.access } : {}) },
          { path: copy, after: null },
        ],
        subject: 'Settle a conflict',
        trailers: { 'Grove-Operation': 'settle' },
        mechanical: false,
        answer: null,
      };
    },
  });
}

function requireAsRead(path: VaultPath, file: FileNow | null, hash: string): FileNow {
  if (file === null) throw new GroveError('note_not_found', { path });
  if (hash === '*' || hash === file.sourceHash || hash === contentHash(file.bytes)) return file;
  throw new GroveError('stale_hash', { path, reason: 'its hash is another one now' });
}
