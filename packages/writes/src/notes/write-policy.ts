import { GroveError, type VaultPath } from '@grove/core';
import { type NoteRule, type PathRule, readableBy, type ViewRules } from '@grove/vault';

/** What one caller may change, by path. */
export interface WritePolicy {
  /** True when nothing may be changed at all. */
  readonly readOnly: boolean;
  /** The folders and globs that a write must lie in, as they were given, of the narrowest list; none when all may be. */
  readonly writePaths: readonly string[];
  /** What notes must fit before and after they are written; null where their path alone decides. */
  readonly notes: NoteRule | null;
  /**
   * The error that a change at this path is refused with, or null when it may be made. Whoever sees all of the vault
   * hears which rule it was; everyone else always hears the same.
   */
  refusal(path: VaultPath): GroveError | null;
}

/**
 * Compiles the rules that hold for a caller, the process policy first: a path must be free by each of them. Write
 * paths narrow what read paths allow; deny paths win.
 *
 * @param tellsWhy true for a View that sees everything the process lets anyone see
 * @example compileWritePolicy([policy, rules], view.isOwner).refusal(path)?.code // 'outside_write_paths'
 */
export function compileWritePolicy(rules: readonly ViewRules[], tellsWhy: boolean): WritePolicy {
  const judges = rules.map(compileOne);
  return {
    readOnly: rules.some(({ readOnly }) => readOnly),
    writePaths: rules.findLast(({ writePaths }) => writePaths.length > 0)?.writePaths.map(sourceOf) ?? [],
    notes: rules.find(({ notes }) => notes !== undefined)?.notes ?? null,
    refusal: (path) => {
      for (const judge of judges) {
        const code = judge(path);
        if (code !== null) return tellsWhy ? new GroveError(code, { path }) : notWritable(path);
      }
      return null;
    },
  };
}

function sourceOf({ source }: PathRule): string {
  return source;
}

/** The one error for whatever a narrower View is the cause of. */
export function notWritable(path: string): GroveError {
  return new GroveError('not_writable', { path });
}

type Refusal = 'read_only' | 'denied_path' | 'outside_read_paths' | 'outside_write_paths';

function compileOne({
  readPaths,
  writePaths,
  denyPaths,
  readOnly,
}: ViewRules): (path: string) => Refusal | null {
  const only = (rules: Partial<ViewRules>): ((path: string) => boolean) =>
    readableBy({ readPaths: [], writePaths: [], denyPaths: [], readOnly: false, ...rules });
  const isFree = only({ denyPaths });
  const isReadable = only({ readPaths });
  const isInside = only({ readPaths: writePaths });
  return (path) => {
    if (readOnly) return 'read_only';
    if (!isFree(path)) return 'denied_path';
    if (!isReadable(path)) return 'outside_read_paths';
    return isInside(path) ? null : 'outside_write_paths';
  };
}
