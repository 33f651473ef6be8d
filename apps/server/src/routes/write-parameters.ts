import { type ParameterTable, writeNote } from '@grove/service';

const { operations: _, atomic: __, merge: ___, ...one } = writeNote.parameters;

/**
 * Scopes of which a route wants one where its operation judges further: `append` adds to notes and makes new ones, and is
 * refused everything else.
 */
export const ADDING = ['write', 'append'] as const;

/** What every write takes in its query. */
export const writeQuery = pick(['dry_run', 'wait']);
/** What PUT takes in its query beside the text. */
export const putQuery = pick(['overwrite', 'dry_run', 'reason', 'wait']);
export const deleteQuery = pick(['dry_run', 'reason']);
export const putBody = pick(['content', 'frontmatter', 'reason']);
/** What an append takes, in its query or in a JSON body. */
export const appendQuery = pick([
  'section',
  'create_section',
  'timestamp',
  'repeat',
  'dry_run',
  'reason',
  'wait',
]);
export const appendBody = { ...pick(['content']), ...appendQuery };
/** What PATCH takes: one operation of write_note, without its path. */
export const patchBody = without(one, ['path', 'if_hash_from_op']);
/** What a batch takes. */
export const batchBody = pick(['operations', 'atomic', 'dry_run', 'idempotency_key', 'wait']);

function pick(names: readonly string[]): ParameterTable {
  const { parameters } = writeNote;
  return Object.fromEntries(
    names.flatMap((name) => {
      const parameter = parameters[name];
      return parameter === undefined ? [] : [[name, parameter]];
    }),
  );
}

function without(table: ParameterTable, names: readonly string[]): ParameterTable {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}
