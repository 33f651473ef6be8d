import { GroveError } from '@grove/core';
import type { WriteAction } from '@grove/writes';
import { type OperationFields, operationParameters } from './parameters.ts';

type Field = keyof OperationFields;

const EVERY: readonly Field[] = ['action', 'path', 'if_hash', 'if_hash_from_op', 'reason'];
const INSERT: readonly Field[] = [
  'section',
  'content',
  'create_section',
  'subsections',
  'timestamp',
  'repeat',
  'create_only',
];

/** What each action takes beside {@link EVERY}. */
const TAKES: Readonly<Record<WriteAction, readonly Field[]>> = {
  write: ['content', 'frontmatter', 'overwrite', 'create_only'],
  append: INSERT,
  prepend: INSERT,
  replace: ['section', 'content', 'subsections', 'overwrite'],
  edit: ['section', 'edits'],
  frontmatter: ['frontmatter', 'set', 'unset'],
  tags: ['add', 'remove', 'location'],
  move: ['to'],
  delete: [],
  restore: ['from'],
};

/** What must be there, each by one of several fields. */
const NEEDS: Readonly<Record<WriteAction, readonly (readonly Field[])[]>> = {
  write: [],
  append: [['content']],
  prepend: [['content']],
  replace: [['content'], ['section']],
  edit: [['edits']],
  frontmatter: [['set', 'unset', 'frontmatter']],
  tags: [['add', 'remove']],
  move: [['to']],
  delete: [],
  restore: [],
};

/**
 * Refuses fields that an action would have to ignore, and an action without what it is about: whoever sends `section`
 * with write means something else than the whole note. Throws `bad_input`.
 */
export function checkFields(fields: OperationFields): void {
  const { action } = fields;
  if (fields.path === null) throw missing('path', '');
  for (const name of Object.keys(operationParameters) as Field[]) {
    if (EVERY.includes(name) || TAKES[action].includes(name) || !isGiven(name, fields)) continue;
    const others = (Object.keys(TAKES) as WriteAction[]).filter((other) => TAKES[other].includes(name));
    throw new GroveError('bad_input', {
      name,
      reason: `"${name}" does not go with action ${action}; it goes with ${others.join(', ')}`,
    });
  }
  for (const oneOf of NEEDS[action]) {
    // A section can also be named by the path: Note#Heading.
    if (oneOf.includes('section') && fields.path.includes('#')) continue;
    if (!oneOf.some((name) => isGiven(name, fields)))
      throw missing(oneOf.join('" or "'), ` for action ${action}`);
  }
}

function isGiven(name: Field, fields: OperationFields): boolean {
  const value = fields[name];
  return Array.isArray(value) ? value.length > 0 : value !== operationParameters[name].absent;
}

function missing(name: string, forWhat: string): GroveError {
  return new GroveError('bad_input', { name, reason: `"${name}" is missing${forWhat}` });
}
