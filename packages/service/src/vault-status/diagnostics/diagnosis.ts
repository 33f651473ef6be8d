import { isGroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../../contract.ts';
import type { Finding, FindingKind } from './contract.ts';

/** What is looked for in the notes that were asked about. */
export interface Ground {
  readonly scope: Scope;
  /** True for a path at or below the one that was asked for; null where all of the vault was. */
  readonly isAsked: ((path: string) => boolean) | null;
}

/** The faults of one kind. */
export interface Faults {
  readonly total: number;
  /** What is told of the first so many, each when it is asked for; null when its note went meanwhile. */
  tell(count: number): AsyncIterable<Finding | null>;
}

/** One kind of fault. */
export interface Diagnosis {
  readonly kind: FindingKind;
  find(ground: Ground): Promise<Faults>;
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
    find: async ({ scope, isAsked }) => {
      const all = await find(scope);
      const faults = isAsked === null ? all : all.filter((fault) => paths(fault).some(isAsked));
      return {
        total: faults.length,
        tell: async function* (count) {
          for (const fault of faults.slice(0, count))
            yield await unlessGone(async () => await tell(scope, fault));
        },
      };
    },
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
