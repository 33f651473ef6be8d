import { folderOf, foldTitle } from '@grove/core';
import type { MissingTarget, NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';
import { namesANote } from './names-a-note.ts';

/** A note that is linked to and is not there. */
export interface Demand {
  /** As the first of the asking notes names it, without `.md`; a path that begins in a folder from the top of the vault. */
  readonly target: string;
  /** By path. */
  readonly askers: readonly NoteRow[];
}

/** What links of one note ask for. */
export interface Wanted {
  /** Equal for what asks for the same note. */
  readonly key: string;
  /** As {@link Demand} has it. */
  readonly target: string;
}

/**
 * What links ask for: a View gives the same object for a link until something about it changes, and for equal links of
 * one folder.
 */
const wanted = new WeakMap<MissingTarget, Wanted | null>();

/** The notes that links of a View ask for in vain, the most asked for first. */
export const unresolvedTargets = perGeneration((view: View): readonly Demand[] => {
  const demands = new Map<string, { key: string; target: string; askers: NoteRow[] }>();
  for (const row of view.notes()) {
    for (const missing of view.missingTargets(row)) {
      const asked = wantedByOne(missing, row);
      if (asked === null) continue;
      const demand = demands.get(asked.key);
      if (demand === undefined) demands.set(asked.key, { ...asked, askers: [row] });
      else if (demand.askers.at(-1) !== row) demand.askers.push(row);
    }
  }
  return [...demands.values()].sort((a, b) => b.askers.length - a.askers.length || (a.key < b.key ? -1 : 1));
});

/** What of these a note could answer, seen from the note that they stand in; each once. */
export function wantedBy(missing: readonly MissingTarget[], from: NoteRow): readonly Wanted[] {
  const found: Wanted[] = [];
  const keys = new Set<string>();
  for (const one of missing) {
    const asked = wantedByOne(one, from);
    if (asked === null || keys.has(asked.key)) continue;
    keys.add(asked.key);
    found.push(asked);
  }
  return found;
}

/** What a link asks for, seen from the note that it stands in; null for what could be no note. */
export function wantedByOne(missing: MissingTarget, from: NoteRow): Wanted | null {
  const known = wanted.get(missing);
  if (known !== undefined) return known;
  const target = namesANote(missing) ? wantedName(missing, from) : null;
  const asked = target === null ? null : { key: foldTitle(target), target };
  wanted.set(missing, asked);
  return asked;
}

/** What the link asks for, the same from every folder; null where no note could ever answer. */
function wantedName({ kind, target }: MissingTarget, from: NoteRow): string | null {
  const written = target.replaceAll('\u00A0', ' ').trim().replace(/\.md$/i, '');
  if (written.startsWith('/')) return written.replace(/^\/+/, '') || null;
  const isFromFolder = kind === 'markdown' || kind === 'image' || kind === 'definition';
  return isFromFolder || /^\.\.?\//.test(written) ? fromTop(written, folderOf(from.path)) : written || null;
}

function fromTop(path: string, folder: string): string | null {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? null : segments.join('/');
}
