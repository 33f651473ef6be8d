import { WRITE_ACTIONS, type WriteAction } from '@grove/writes';
import type { Operation, OperationHints, Scope } from '../contract.ts';
import { advertisedInput, advertisedOutput, onFirstUse } from '../operation/define.ts';
import { type WriteNoteAnswer, writeNoteOutput } from './output.ts';
import { writeNoteParameters } from './parameters.ts';
import { parseWriteNote, type WriteNoteInput } from './parse.ts';
import { presentWriteNote } from './present.ts';
import { runWriteNote } from './run.ts';

const HINTS: OperationHints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** What a principal hears of that may do everything, and one that may only add. */
const ALL: readonly WriteAction[] = WRITE_ACTIONS;
const ADDING: readonly WriteAction[] = ['write', 'append', 'prepend'];

/** The fields that a program is likely to go on from; the others are in the answer all the same. */
const ADVERTISED_OUTPUT = writeNoteOutput.pick({
  path: true,
  created: true,
  already_there: true,
  merged: true,
  commit: true,
  source_hash: true,
  diff: true,
  undo: true,
  results: true,
  remarks: true,
});

const outputSchema = onFirstUse(() => advertisedOutput(ADVERTISED_OUTPUT));

const OPERATION: Omit<Operation<WriteNoteInput, WriteNoteAnswer>, 'inputSchema' | 'outputSchema'> = {
  name: 'write_note',
  title: 'Write a note',
  description:
    'Create or change notes; each change is a commit. Prefer edit and append; read before write or replace, and send the hash. Never retype a whole note.',
  hints: HINTS,
  parameters: writeNoteParameters,
  output: writeNoteOutput,
  parse: parseWriteNote,
  run: runWriteNote,
  present: presentWriteNote,
};

/** Changes one note, or several. Whoever runs it is judged by their scope. */
export const writeNote = shownWith(ALL);

const addingNote = shownWith(ADDING);

/** A trail has no past, and nothing to bring back out of it. */
const trailNote = shownWith(ALL.filter((action) => action !== 'restore'));

function shownWith(actions: readonly WriteAction[]): Operation<WriteNoteInput, WriteNoteAnswer> {
  const inputSchema = onFirstUse(() => schemaFor(actions));
  return {
    ...OPERATION,
    get inputSchema() {
      return inputSchema();
    },
    get outputSchema() {
      return outputSchema();
    },
  };
}

/** The operation as a principal with these rights is shown it. */
export function writeNoteFor({ may, isTrail }: Pick<Scope, 'may' | 'isTrail'>): typeof writeNote {
  if (!may.write) return addingNote;
  return isTrail ? trailNote : writeNote;
}

/** The input's schema with only these actions, so that a model does not try what would be refused. */
function schemaFor(actions: readonly WriteAction[]): Readonly<Record<string, unknown>> {
  const schema = advertisedInput(writeNoteParameters);
  const properties = schema.properties as Readonly<Record<string, object>>;
  return { ...schema, properties: { ...properties, action: { ...properties.action, enum: actions } } };
}
