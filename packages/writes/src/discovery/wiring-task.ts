import type { VaultPath } from '@grove/core';
import { decodeNote } from '@grove/markdown';
import type { VaultSchema } from '@grove/vault';
import type { NoteWriteCaller } from '../notes/contract.ts';
import type { PlannedBatch } from '../notes/plan-batch.ts';
import { addsText } from '../notes/suggestions.ts';
import { mentionsOf } from './find-links.ts';

const KIND = 'wire links';

/** What the ledger keeps of a write until the notes that it wrote have their links. JSON. */
export interface WiringTask {
  readonly kind: typeof KIND;
  readonly paths: readonly VaultPath[];
  /** True where whoever wrote does not see all of the vault: another process does not know what they see. */
  readonly narrow: boolean;
}

/**
 * What is left to be linked once this commit is made: the notes that it adds text to and that name others; null for none.
 * For who may only append there is none: links would change bytes that were there.
 *
 * @param seesAll true where the caller's View is that of the owner
 */
export function wiringTaskOf(
  { items, changes }: PlannedBatch,
  { view, may }: NoteWriteCaller,
  { schema, seesAll }: { readonly schema: VaultSchema; readonly seesAll: boolean },
): WiringTask | null {
  if (!may.write) return null;
  const changed = new Set(changes.map(({ path }) => path));
  const paths = new Set<VaultPath>();
  for (const item of items) {
    if ('error' in item) continue;
    const { operation, target } = item.prepared;
    const { path } = target;
    if (!changed.has(path) || !addsText(operation.action)) continue;
    const { text } = decodeNote(item.note.after.bytes, path);
    if (mentionsOf(text, { start: 0, end: text.length }, { view, path, schema }).length > 0) paths.add(path);
  }
  return paths.size === 0 ? null : { kind: KIND, paths: [...paths], narrow: !seesAll };
}

/** True for a task of the ledger that is about links to be added. */
export function isWiringTask(task: unknown): task is WiringTask {
  return typeof task === 'object' && task !== null && 'kind' in task && task.kind === KIND;
}
