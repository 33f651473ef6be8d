import { foldCase, GroveError, type VaultPath } from '@grove/core';
import type { PlannedChange, WritePlan } from './contract.ts';
import { sameBytes } from './files/file-change.ts';
import type { LookedAt } from './look-at-files.ts';

/** A change that makes a difference, and the file it is about. */
export interface EffectiveChange {
  readonly look: LookedAt;
  readonly planned: PlannedChange;
}

/**
 * The changes of a plan that make a difference. A new note must have no twin: a name that differs from one that is
 * there in upper and lower case or in Unicode form only, unless that one goes: a note may be spelled anew. It goes
 * first then: a disk that ignores case has no room for both.
 *
 * @throws GroveError `path_taken`
 * @throws TypeError for a plan that names a path twice or one outside of the request
 */
export function effectiveChanges(
  plan: WritePlan,
  looks: ReadonlyMap<VaultPath, LookedAt>,
): EffectiveChange[] {
  const named = new Set<VaultPath>();
  const effective: EffectiveChange[] = [];
  const created: VaultPath[] = [];
  const removed = new Set(
    plan.changes.flatMap(({ path, after }) =>
      after === null ? (looks.get(path)?.place.diskPath ?? []) : [],
    ),
  );
  for (const planned of plan.changes) {
    const look = looks.get(planned.path);
    if (look === undefined) throw new TypeError('a plan changes a path that its request does not name');
    if (named.has(planned.path)) throw new TypeError('a plan changes a path twice');
    named.add(planned.path);
    if (sameBytes(look.now?.bytes ?? null, planned.after)) continue;
    if (look.now === null) {
      const twin = twinOf(look, removed);
      if (twin !== null) throw new GroveError('path_taken', { path: planned.path, twin });
      created.push(planned.path);
    }
    effective.push({ look: withAccess(look, planned), planned });
  }
  requireNoTwins(created);
  const first = new Set(effective.flatMap(({ look }) => look.place.twins));
  return effective.sort((a, b) => rank(a) - rank(b));

  function rank({ look }: EffectiveChange): number {
    return first.has(look.place.diskPath) ? 0 : 1;
  }
}

/** A folder is never spelled anew: other notes lie in it. */
function twinOf({ place: { twins, missingFolders } }: LookedAt, removed: ReadonlySet<string>): string | null {
  return twins.find((twin) => missingFolders.length > 0 || !removed.has(twin)) ?? null;
}

/** A note that moves, or comes back, stays as private, and as executable, as it was. */
function withAccess(look: LookedAt, { access }: PlannedChange): LookedAt {
  if (look.now !== null || access == null) return look;
  if (access !== 'executable') return { ...look, ...access };
  // Whoever may read it may run it, as git does.
  return { ...look, permissions: look.permissions | ((look.permissions & 0o444) >> 2) };
}

/** Folders that new notes bring are names too: `Plans/a.md` and `plans/b.md` would be two folders on some disks only. */
function requireNoTwins(created: readonly VaultPath[]): void {
  const spelled = new Map<string, { readonly name: string; readonly path: VaultPath }>();
  for (const path of created) {
    const names = path.split('/');
    for (const [at] of names.entries()) {
      const name = names.slice(0, at + 1).join('/');
      const known = spelled.get(foldCase(name));
      if (known === undefined) spelled.set(foldCase(name), { name, path });
      else if (known.name !== name) throw new GroveError('path_taken', { path, twin: known.path });
    }
  }
}
