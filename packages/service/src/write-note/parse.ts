import { GroveError, isGroveError } from '@grove/core';
import { type NoteOperation, type NoteWriteRequest, plainHash } from '@grove/writes';
import { toErrorPayload } from '../errors/payload.ts';
import { parseInput } from '../parameters/parse.ts';
import { checkFields } from './action-fields.ts';
import {
  callParameters,
  type OperationFields,
  operationParameters,
  writeNoteParameters,
} from './parameters.ts';

/** What a call of write_note asks for. */
export interface WriteNoteInput extends NoteWriteRequest {
  /** Answer when what was written can be found by meaning, too. */
  readonly wait: 'none' | 'embedded';
}

/**
 * Reads one operation, or a batch of them.
 *
 * @throws GroveError `bad_input`, `unknown_parameter`; for a batch `batch_refused`, naming every operation that cannot
 * be read
 */
export function parseWriteNote(raw: unknown): WriteNoteInput {
  const fields = parseInput(writeNoteParameters, raw);
  const { operations, atomic, dry_run, idempotency_key, merge, wait } = fields;
  const call = { dryRun: dry_run, merge, idempotencyKey: idempotency_key, wait };
  if (operations.length === 0)
    return { operations: [readOperation(fields, 0)], batch: false, atomic: false, ...call };
  refuseBoth(raw);
  return { operations: readBatch(operations), batch: true, atomic, ...call };
}

function readBatch(operations: readonly Readonly<Record<string, unknown>>[]): NoteOperation[] {
  const read: NoteOperation[] = [];
  const refused: Record<string, unknown>[] = [];
  for (const [op, raw] of operations.entries()) {
    try {
      read.push(readOperation(parseInput(operationParameters, raw), op));
    } catch (error) {
      if (!isGroveError(error)) throw error;
      const { code, message, next } = toErrorPayload(error);
      refused.push({ op, code, message, next });
    }
  }
  if (refused.length > 0)
    throw new GroveError('batch_refused', {
      refused: refused.length,
      count: operations.length,
      operations: refused,
    });
  return read;
}

function readOperation(fields: OperationFields, op: number): NoteOperation {
  checkFields(fields);
  for (const name of ['frontmatter', 'set'] as const) refuseDeep(name, fields[name]);
  const { action, path, frontmatter, edits, set, if_hash, if_hash_from_op } = fields;
  if (if_hash_from_op !== null && if_hash_from_op >= op)
    throw new GroveError('bad_input', {
      name: 'if_hash_from_op',
      reason: '"if_hash_from_op" names no earlier operation of this batch',
    });
  if (if_hash_from_op !== null && if_hash !== null)
    throw new GroveError('bad_input', {
      name: 'if_hash',
      reason: 'send either "if_hash" or "if_hash_from_op"',
    });
  const isProperties = action === 'frontmatter';
  return {
    action,
    path: path ?? '',
    section: fields.section,
    content: fields.content,
    frontmatter: isProperties ? null : frontmatter,
    edits: edits.map(
      ({ find, replace, scope, all, regex, case: isExact, whole_word, flexible_whitespace }) => ({
        find,
        replace,
        scope,
        all,
        regex,
        case: isExact,
        wholeWord: whole_word,
        flexibleWhitespace: flexible_whitespace,
      }),
    ),
    set: isProperties && frontmatter !== null ? { ...frontmatter, ...set } : set,
    unset: fields.unset,
    add: fields.add.map(withoutHash),
    remove: fields.remove.map(withoutHash),
    location: fields.location,
    ifHash: if_hash === null ? null : plainHash(if_hash),
    ifHashFromOp: if_hash_from_op,
    createOnly: fields.create_only,
    overwrite: fields.overwrite,
    createSection: fields.create_section,
    subsections: fields.subsections,
    timestamp: fields.timestamp,
    repeat: fields.repeat,
    to: fields.to,
    from: readFrom(fields.from),
    reason: fields.reason,
  };
}

/** Which earlier state a restoration takes. */
function readFrom(from: OperationFields['from']): NoteOperation['from'] {
  if (from === null) return null;
  const [[name, value] = ['', ''], ...others] = Object.entries(from);
  if (others.length === 0 && typeof value === 'string' && value !== '') {
    if (name === 'batch') return { batch: value };
    if (name === 'revision') return { revision: value, commit: null };
  }
  throw new GroveError('bad_input', {
    name: 'from',
    reason: '"from" is {"batch": "…"} or {"revision": "…"}, as an earlier answer names it',
  });
}

/** Values nested deeper than this are no properties of a note, and would end whoever walks through them. */
const DEEPEST = 50;

function refuseDeep(name: string, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST) throw new GroveError('bad_input', { name, reason: `"${name}" is nested too deeply` });
  for (const item of Object.values(value)) refuseDeep(name, item, depth + 1);
}

/** One operation beside a list of them: which was meant cannot be known. */
function refuseBoth(raw: unknown): void {
  const given = typeof raw === 'string' ? (JSON.parse(raw) as object) : (raw as object);
  const beside = Object.entries(given).find(
    ([name, value]) => !Object.hasOwn(callParameters, name) && value !== null && value !== '',
  );
  if (beside !== undefined)
    throw new GroveError('bad_input', {
      name: beside[0],
      reason: `"${beside[0]}" goes into each of the operations, not beside them`,
    });
}

function withoutHash(tag: string): string {
  return tag.replace(/^#/, '');
}
