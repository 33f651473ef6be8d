import { isGroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../../contract.ts';
import type { Finding, FindingKind } from './contract.ts';

/** What is looked for in the notes that were asked about. */
export interface Ground {
  readonly scope: Scope;
  /** True for a path at or below the one that was asked for. */
  isAsked(path: string): boolean;
}

/** One kind of fault: all that there are, each told only when it is looked at; null when its note went meanwhile. */
export interface Diagnosis {
  readonly kind: FindingKind;
  find(ground: Ground): Promise<readonly (() => Promise<Finding | null>)[]>;
}

/**
 * Describes a kind of fault.
 *
 * @param paths the notes that one of its faults is about: it is told where one of them was asked for
 */
export function diagnosis<Fault>(
  kind: FindingKind,
  {
    find,
    paths,
    tell,
  }: {
    find(scope: Scope): readonly Fault[] | Promise<readonly Fault[]>;
    paths(fault: Fault): readonly string[];
    tell(scope: Scope, fault: Fault): Finding | Promise<Finding>;
  },
): Diagnosis {
  return {
    kind,
    find: async ({ scope, isAsked }) =>
      (await find(scope))
        .filter((fault) => paths(fault).some(isAsked))
        .map((fault) => () => unlessGone(async () => await tell(scope, fault))),
  };
}

async function unlessGone(tell: () => Promise<Finding>): Promise<Finding | null> {
  try {
    return await tell();
  } catch (error) {
    if (isGroveError(error, 'note_not_found')) return null;
    throw error;
  }
}

/** The path of a note, for faults that are about one. */
export function pathOf({ path }: NoteRow): readonly string[] {
  return [path];
}
