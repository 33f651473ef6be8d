import { GroveError, isGroveError, type VaultPath } from '@grove/core';
import type { View } from '@grove/vault';
import { confirmationNeeded } from '../confirmations/question.ts';
import type { FileNow } from '../engine/contract.ts';
import { findPlace } from '../engine/files/find-place.ts';
import type { PreparedOperation } from '../notes/plan-note.ts';
import { requireCurrent } from '../notes/preconditions.ts';
import { isShownNow } from '../notes/shown-now.ts';
import { toldOfFile, type WholeFilePlan, type WholeFileSetting } from '../notes/whole-file-plan.ts';
import { putIntoTrash, takeFromTrash } from './batches.ts';
import { excludeTrash } from './exclude.ts';

/** Notes that are named of those which link to what goes. */
const NAMED = 5;

/**
 * A note goes to the trash of the vault, and out of its history's tip. Its bytes lie synced in the trash before the
 * file goes.
 *
 * @throws GroveError `delete_denied`; the plan `note_not_found`, `hash_required`, `stale_hash`, `confirmation_needed`,
 * `confirmation_void`
 */
export function planDelete(prepared: PreparedOperation, setting: WholeFileSetting): WholeFilePlan {
  const { path } = prepared.target;
  const { caller, ground, batch, ifHash, also, dryRun, deletePolicy } = setting;
  const policy = deletePolicy();
  if (policy === 'deny') throw new GroveError('delete_denied');
  const asks = policy === 'confirm';
  let isInTrash = false;
  return {
    paths: [path],
    plan: async (files) => {
      const file = files.get(path) ?? null;
      if (file === null || !(await isShownNow(caller, path, file.bytes)))
        throw new GroveError('note_not_found', { path });
      requireCurrent(prepared.operation, ifHash, { path, file, also });
      if (asks && !dryRun) requireConfirmed(setting, path, file);
      if (!dryRun) {
        await excludeTrash(ground.location);
        await putIntoTrash(ground.root, batch, path, file);
        isInTrash = true;
      }
      return {
        changes: [{ path, after: null }],
        told: toldOfFile(prepared, {
          sizeBefore: file.bytes.byteLength,
          undo: dryRun ? null : { action: 'restore', path, from: { batch } },
          remarks: [
            ...(asks && dryRun ? ['A person is asked before this is done.'] : []),
            ...(caller.may.read ? linkRemarks(caller.view, prepared) : []),
          ],
        }),
      };
    },
    failed: async () => {
      // It may be gone all the same, where what failed came after that: then the trash is where it is.
      if (isInTrash && (await isThere(ground.root, path))) await takeFromTrash(ground.root, batch, path);
    },
    done: async () => [],
  };
}

/** A yes is to the bytes that were there when the question was asked. */
function requireConfirmed({ confirmed }: WholeFileSetting, path: VaultPath, file: FileNow): void {
  const hash = confirmed.get(path);
  if (hash === undefined) throw confirmationNeeded([path]);
  if (hash !== file.contentHash)
    throw new GroveError('confirmation_void', { path, reason: `the note "${path}" changed meanwhile` });
}

async function isThere(root: string, path: VaultPath): Promise<boolean> {
  try {
    return (await findPlace(root, path)).stat !== null;
  } catch (error) {
    if (isGroveError(error)) return false;
    throw error;
  }
}

function linkRemarks(view: View, { target }: PreparedOperation): string[] {
  const row = view.get(target.path);
  if (row === null) return [];
  const linking = [...new Set(view.backlinks(row).map(({ from }) => from.path as string))];
  if (linking.length === 0) return [];
  const named = linking.slice(0, NAMED).join(', ');
  const more = linking.length > NAMED ? ` and ${linking.length - NAMED} more` : '';
  return [`Notes that link to it: ${named}${more}.`];
}
