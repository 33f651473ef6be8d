import type { VaultPath } from '@grove/core';
import type { NoteOperation, WriteAction } from './contract.ts';

const LONGEST_PATH = 120;
const LONGEST_REASON = 300;

const SUBJECTS: Readonly<Record<WriteAction, (path: string) => string>> = {
  write: (path) => `Write ${path}`,
  append: (path) => `Append to ${path}`,
  prepend: (path) => `Prepend to ${path}`,
  replace: (path) => `Replace a section of ${path}`,
  edit: (path) => `Edit ${path}`,
  frontmatter: (path) => `Change properties of ${path}`,
  tags: (path) => `Change tags of ${path}`,
  move: (path) => `Move ${path}`,
  delete: (path) => `Delete ${path}`,
  restore: (path) => `Restore ${path}`,
};

/** Subject and trailers of the commit of one operation, or of an atomic batch. Made here, never taken from a note. */
export function commitWords(
  operations: readonly { readonly operation: NoteOperation; readonly path: VaultPath }[],
): { readonly subject: string; readonly trailers: Readonly<Record<string, string>> } {
  const [first, ...others] = operations;
  if (first === undefined) return { subject: 'Change nothing', trailers: {} };
  const paths = new Set(operations.map(({ path }) => path));
  const actions = [...new Set(operations.map(({ operation }) => operation.action))];
  const only = others.length === 0 || (paths.size === 1 && actions.length === 1);
  const subject = only
    ? SUBJECTS[first.operation.action](shortened(first.path))
    : paths.size === 1
      ? `Change ${shortened(first.path)}`
      : `Change ${paths.size} notes`;
  const reasons = [...new Set(operations.flatMap(({ operation }) => reasonOf(operation)))];
  return {
    subject,
    trailers: {
      'Grove-Operation': actions.join(', '),
      ...(reasons.length === 0
        ? {}
        : { 'Grove-Reason': reasons.join('; ').slice(0, LONGEST_REASON).toWellFormed() }),
    },
  };
}

function reasonOf({ reason }: NoteOperation): string[] {
  const line = (reason ?? '').replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
  return line === '' ? [] : [line];
}

function shortened(path: string): string {
  return path.length <= LONGEST_PATH ? path : `…${path.slice(-LONGEST_PATH).replace(/^[\udc00-\udfff]/, '')}`;
}
