import { acceptDiskPath, isGroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { rowByName } from '../notes/locate.ts';
import { nearestNotes } from '../notes/nearest-notes.ts';
import { readIfThere } from '../notes/read.ts';
import type { FileStatus } from './contract.ts';
import { SKIP_REASONS, skippedFiles, unreadableFolders } from './health.ts';

/**
 * Whether one file is indexed, and if not, why. Only an owner hears of files that are skipped; to everyone else what
 * the View does not show is unknown.
 *
 * @throws GroveError `note_ambiguous`
 */
export async function fileStatus(scope: Scope, asked: string): Promise<FileStatus> {
  const row = rowByName(scope, asked);
  if (row !== null) return await noteStatus(scope, row);
  const skipped = scope.view.isOwner ? findSkipped(scope, asked) : null;
  if (skipped !== null) return skipped;
  const path = clip(asked, 200);
  const refused = refusal(asked);
  if (refused !== null) return { path, status: 'unknown', reason: refused };
  const near = nearestNotes(scope.view, asked, 3);
  const hint = near.length === 0 ? '' : ` Near: ${near.join(', ')}.`;
  return { path, status: 'unknown', reason: `No note answers to that name.${hint}` };
}

async function noteStatus(scope: Scope, row: NoteRow): Promise<FileStatus> {
  const { path } = row;
  const served = await readIfThere(scope.view, row);
  if (served === null)
    return { path, status: 'unknown', reason: 'The file is no longer there or no longer a note.' };
  const broken = served.note.frontmatter.error;
  const properties =
    broken === null
      ? ''
      : ` Its frontmatter does not parse (line ${broken.line}): it is found by its text only.`;
  const { state, pending } = scope.search.health();
  if (state !== 'ready') return { path, status: 'pending', reason: `The index is being built.${properties}` };
  // What waits may be notes of which this caller must not hear.
  if (served.row.contentHash !== row.contentHash || (scope.view.isOwner && pending > 0))
    return {
      path,
      status: 'pending',
      reason: `Changes wait to be indexed; a search takes them up.${properties}`,
    };
  return { path, status: 'indexed', reason: `It is indexed as it is on disk.${properties}` };
}

function findSkipped(scope: Scope, asked: string): FileStatus | null {
  const wanted = asked.normalize('NFC').replace(/^(?:\.?\/)+/, '');
  const health = scope.vault.health();
  const skipped = skippedFiles(scope, health);
  const file = skipped.find(({ path }) => path === wanted || path === `${wanted}.md`);
  if (file !== undefined)
    return {
      path: clip(file.path, 200),
      status: 'skipped',
      reason: `It is no note: ${SKIP_REASONS[file.reason]}.`,
    };
  const folder = unreadableFolders(scope, health).find((path) => wanted.startsWith(`${path}/`));
  if (folder === undefined) return null;
  const reason = `The folder "${clip(folder, 200)}" cannot be read.`;
  return { path: clip(wanted, 200), status: 'skipped', reason };
}

function refusal(asked: string): string | null {
  try {
    acceptDiskPath(/\.[^/.]+$/.test(asked) ? asked : `${asked}.md`);
    return null;
  } catch (error) {
    if (isGroveError(error, 'bad_path')) return clip(error.message, 300);
    throw error;
  }
}
