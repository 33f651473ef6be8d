import { contentHash, GroveError, type VaultPath } from '@grove/core';
import { decodeNote, shortDiff } from '@grove/markdown';
import type { PlannedChange } from '../engine/contract.ts';
import type { NoteOperation } from '../notes/contract.ts';
import type { PreparedOperation } from '../notes/plan-note.ts';
import { requireCurrent } from '../notes/preconditions.ts';
import { isShownNow } from '../notes/shown-now.ts';
import { toldOfFile, type WholeFilePlan, type WholeFileSetting } from '../notes/whole-file-plan.ts';
import { notWritable } from '../notes/write-policy.ts';
import { newestBatch, readFromTrash } from './batches.ts';

const DIFF_BYTES = 1024;

/**
 * A note as it was comes back to its path: out of the trash, where it also stays, or out of the history. What is there
 * now gives way only to who sends its hash.
 *
 * @throws GroveError `not_in_trash`, `revision_not_found`, `note_not_text`, `repository_unreadable`; the plan
 * `not_writable`, `hash_required`, `stale_hash`
 */
export async function planRestore(
  prepared: PreparedOperation,
  setting: WholeFileSetting,
): Promise<WholeFilePlan> {
  const { operation, target } = prepared;
  const { caller, ifHash, also } = setting;
  const { path } = target;
  const { bytes, access } = await noteToRestore(operation, path, setting);
  const { text } = decodeNote(bytes, path);
  return {
    paths: [path],
    plan: async (files) => {
      const file = files.get(path) ?? null;
      if (file === null && ifHash !== null)
        throw new GroveError('stale_hash', { path, reason: 'there is no note at that path' });
      if (file !== null) {
        if (!(await isShownNow(caller, path, file.bytes))) throw notWritable(operation.path);
        requireCurrent(operation, ifHash, { path, file, also });
      }
      const isThere = file !== null && Buffer.compare(file.bytes, bytes) === 0;
      const before = file === null ? '' : decodeNote(file.bytes, path).text;
      const hash = contentHash(bytes);
      return {
        changes: isThere ? [] : [{ path, after: bytes, access }],
        told: toldOfFile(prepared, {
          created: file === null,
          alreadyThere: isThere,
          sourceHash: isThere ? file.sourceHash : null,
          contentHash: isThere ? hash : null,
          sizeBefore: file?.bytes.byteLength ?? null,
          sizeAfter: bytes.byteLength,
          diff: !isThere && caller.may.read ? shortDiff(before, text, DIFF_BYTES) : '',
        }),
      };
    },
    failed: async () => {},
    done: async () => [],
  };
}

interface NoteToRestore {
  readonly bytes: Uint8Array;
  readonly access: NonNullable<PlannedChange['access']> | null;
}

async function noteToRestore(
  { from }: NoteOperation,
  path: VaultPath,
  { engine, ground: { root } }: WholeFileSetting,
): Promise<NoteToRestore> {
  if (from !== null && 'revision' in from) {
    const then = from.commit === null ? null : await engine.noteAt(path, from.commit);
    if (then === null) throw new GroveError('revision_not_found', { path, revision: from.revision });
    return { bytes: then.bytes, access: then.isExecutable ? 'executable' : null };
  }
  const batch = from?.batch ?? (await newestBatch(root, path));
  const note = batch === null ? null : await readFromTrash(root, batch, path);
  if (note === null) throw new GroveError('not_in_trash', { path, batch: from?.batch ?? 'any' });
  return note;
}
