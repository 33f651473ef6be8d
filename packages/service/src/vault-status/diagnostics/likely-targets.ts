import { foldTitle, type VaultPath } from '@grove/core';
import { type BrokenLink, nearlyNamed } from '@grove/graph';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../../contract.ts';
import { seesAll } from '../../history/visible-past.ts';

/** Notes that a link was likely meant for, the likeliest first. */
export interface LikelyTargets {
  readonly rows: readonly NoteRow[];
  /** True when the first is the very note, which was moved or renamed. */
  readonly moved: boolean;
}

const MOST = 3;

/** What a broken link likely means: the note of that name elsewhere, the note that had it, or those of names like it. */
export function likelyTargets(scope: Scope, { from, target }: BrokenLink): LikelyTargets {
  const { view } = scope;
  const name = target.slice(target.lastIndexOf('/') + 1);
  const found = name === target ? null : view.resolve(name);
  if (found?.kind === 'found' && found.step === 'name') return { rows: [found.row], moved: true };
  const renamed = renamedFrom(scope, target);
  if (renamed !== null) return { rows: [renamed], moved: true };
  if (found?.kind === 'ambiguous') return { rows: found.candidates.slice(0, MOST), moved: false };
  return { rows: nearlyNamed(view, target, MOST).filter(({ id }) => id !== from.id), moved: false };
}

/** The note that was once called so. Only who sees all of the vault hears what became of a note. */
function renamedFrom(scope: Scope, target: string): NoteRow | null {
  if (!seesAll(scope) || scope.past === null) return null;
  const renames = scope.past.history.renames();
  const wanted = foldTitle(target);
  const isMeant = (path: string): boolean => {
    const folded = foldTitle(path.replace(/\.md$/i, ''));
    return folded === wanted || (!wanted.includes('/') && folded.endsWith(`/${wanted}`));
  };
  const at = renames.findLastIndex(([former]) => isMeant(former));
  let path = renames[at]?.[1];
  // What was renamed again later goes by its last name.
  for (const [former, now] of at < 0 ? [] : renames.slice(at + 1)) if (former === path) path = now;
  return path === undefined ? null : scope.view.get(path as VaultPath);
}
