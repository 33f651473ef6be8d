import { GroveError, isGroveError, noteName, parseVaultPath, type VaultPath } from '@grove/core';
import type { VaultSchema } from '@grove/vault';
import { findDestination } from '../moving/destination.ts';
import { typeTemplate } from '../schema/type-template.ts';
import type { NoteOperation, NoteWriteCaller, WriteAction } from './contract.ts';
import { checkPayload } from './limits.ts';
import type { PreparedOperation } from './plan-note.ts';
import { findTarget, type WriteTarget } from './target.ts';
import { clockTime, dayOf, fillTemplate } from './template.ts';
import { notWritable } from './write-policy.ts';

export interface PrepareSetting {
  readonly caller: NoteWriteCaller;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
  /** Notes that earlier operations of the same batch make. */
  readonly made: Set<VaultPath>;
  /** The owner's rules for notes. */
  readonly schema: VaultSchema;
  /** True when the call may be one that was done before: then a note may be gone because of it. */
  readonly mayBeRetry: boolean;
}

const TAKES_SECTION: ReadonlySet<WriteAction> = new Set(['append', 'prepend', 'replace', 'edit']);

const APPENDS: ReadonlySet<WriteAction> = new Set(['append', 'prepend', 'write']);

/**
 * Judges what can be judged of an operation before the note is looked at: whether the caller may do such a thing at
 * all, which note is meant, whether it lies where the caller may write.
 *
 * @throws GroveError `scope_missing`, `payload_too_large`, `note_not_found`, `note_ambiguous`,
 * `bad_path`, `bad_input`, the refusals of a {@link WritePolicy}
 */
export async function prepareOperation(
  index: number,
  operation: NoteOperation,
  setting: PrepareSetting,
): Promise<PreparedOperation> {
  const { caller, now, zone, made } = setting;
  const { action } = operation;
  checkRights(action, caller);
  checkPayload(payloadBytes(operation));
  const target = targetOf(operation, setting);
  requireAllowed(target.path, operation.path, caller);
  const destination =
    action === 'move' ? findDestination(operation.to ?? '', target.path, caller.view) : null;
  if (destination !== null) requireAllowed(destination, operation.to ?? '', caller);
  if (target.row === null) made.add(target.path);
  if (destination !== null) made.add(destination);
  return {
    index,
    operation: withSection(operation, target),
    ...(await templateOf(operation, target, setting)),
    time: clockTime(now, zone),
    destination,
  };
}

function targetOf({ path, action }: NoteOperation, setting: PrepareSetting): WriteTarget {
  const { caller, now, zone, made, mayBeRetry } = setting;
  try {
    return findTarget(path, action, {
      view: caller.view,
      nearest: (reference) => caller.nearest(reference),
      now,
      zone,
      made,
    });
  } catch (error) {
    const takesAway = action === 'move' || action === 'delete';
    if (!mayBeRetry || !takesAway || !/\.md$/i.test(path) || !isGroveError(error, 'note_not_found'))
      throw error;
    // Told once it is known that nobody did this before.
    return { path: parseVaultPath(path), row: null, section: null, periodic: null, remarks: [] };
  }
}

function requireAllowed(path: VaultPath, asGiven: string, { policy }: NoteWriteCaller): void {
  const refusal = policy.refusal(path);
  if (refusal !== null) throw isGroveError(refusal, 'not_writable') ? notWritable(asGiven) : refusal;
}

/** Bytes that an operation brings along. */
export function payloadBytes({
  content,
  frontmatter,
  edits,
  set,
  unset,
  add,
  remove,
}: NoteOperation): number {
  const text = content === null ? 0 : Buffer.byteLength(content);
  const finds = edits.reduce(
    (sum, { find, replace }) => sum + Buffer.byteLength(find) + Buffer.byteLength(replace),
    0,
  );
  const values = [frontmatter, set, unset, add, remove].filter((value) => value !== null);
  return text + finds + Buffer.byteLength(JSON.stringify(values));
}

function checkRights(action: WriteAction, { may, policy }: NoteWriteCaller): void {
  if (policy.readOnly) throw new GroveError('read_only');
  if (!may.write && !(may.append && APPENDS.has(action)))
    throw new GroveError('scope_missing', { scope: may.append || !APPENDS.has(action) ? 'write' : 'append' });
}

/** `Note#Heading` as a path names a section; an action that is about whole notes must not lose it. */
function withSection(operation: NoteOperation, { section }: WriteTarget): NoteOperation {
  if (section === null) return operation;
  const { action } = operation;
  if (!TAKES_SECTION.has(action))
    throw new GroveError('bad_input', {
      name: 'path',
      reason: `"path" names a section, and ${action} is about a whole note; replace, append, prepend and edit take a section`,
    });
  if (operation.section !== null && operation.section !== section)
    throw new GroveError('bad_input', {
      name: 'section',
      reason: '"path" names one section and "section" another',
    });
  return { ...operation, section };
}

/** What a new note begins with: a periodic note whatever is done to it, one of a type when it comes without text. */
async function templateOf(
  { action, content, frontmatter }: NoteOperation,
  target: WriteTarget,
  { caller: { view }, now, zone, schema }: PrepareSetting,
): Promise<Pick<PreparedOperation, 'template' | 'target'>> {
  const { path, periodic, row: there, remarks } = target;
  const isBare = there === null && periodic === null && action === 'write' && content === null;
  const source = isBare ? typeTemplate(path, frontmatter, schema) : (periodic?.template ?? null);
  const row = source === null ? null : view.get(source);
  if (row === null) return { template: null, target };
  const { note } = await view.read(row);
  const date = periodic?.date ?? dayOf(now, zone);
  return {
    template: fillTemplate(note.text, { title: noteName(path), date, now, zone }),
    target: isBare
      ? { ...target, remarks: [...remarks, `It was made from the template ${row.path}.`] }
      : target,
  };
}
