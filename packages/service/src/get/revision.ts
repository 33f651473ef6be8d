import { contentHash, foldCase, GroveError } from '@grove/core';
import { decodeNote, type NoteText, parseNoteAsync } from '@grove/markdown';
import type { NoteRow, ServedNote } from '@grove/vault';
import { shortTime } from '../answers/markdown.ts';
import { clip, isoTime, oneLine } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { findRevision, type NoteRevision } from '../history/find-revision.ts';
import { pastOf, pastRemarks } from '../history/visible-past.ts';
import type { GetAnswer, GetInput } from './contract.ts';

/** A note as a commit has it, in the form in which notes of now are served. */
export interface ServedRevision extends ServedNote {
  readonly revision: NonNullable<GetAnswer['revision']>;
  readonly remarks: readonly string[];
}

/**
 * Reads the note as it was. The caller sees the note as it is: that was judged before.
 *
 * @throws GroveError `revision_not_found`, `history_unavailable`, `note_not_text`, `bad_input`
 */
export async function readRevision(
  scope: Scope,
  now: NoteRow,
  { revision, include }: GetInput & { readonly revision: string },
): Promise<ServedRevision> {
  const ofNow = include.find((list) => list === 'backlinks' || list === 'mentions');
  if (ofNow !== undefined)
    throw new GroveError('bad_input', {
      name: 'include',
      reason: `${ofNow} are known of now only: leave out "revision", or "${ofNow}"`,
    });
  const past = await pastOf(scope);
  const found = await findRevision(scope, past, now, revision);
  const { bytes, commit, path } = found;
  const note = await parseNoteAsync(decodeNote(bytes, now.path).text, {
    dialect: scope.view.dialect,
    path: now.path,
  });
  const time = isoTime(scope, found.time);
  const formerly = path.normalize('NFC') === now.path ? null : path;
  return {
    row: rowThen(now, note, found),
    bytes,
    note,
    revision: { commit, time, ...(formerly === null ? {} : { path: clip(formerly, 300) }) },
    remarks: [
      `This is the note as of commit ${commit.slice(0, 12)} (${shortTime(time)}); it may be another now. Hashes are given only without revision.`,
      ...(formerly === null ? [] : [`It was ${oneLine(clip(formerly, 300))} then.`]),
      ...pastRemarks(scope),
    ],
  };
}

/** The row of now with what the text of then says. */
function rowThen(now: NoteRow, note: NoteText, { bytes }: NoteRevision): NoteRow {
  const tags = new Map<string, string>();
  for (const { name } of note.tags) if (!tags.has(foldCase(name))) tags.set(foldCase(name), name);
  return {
    ...now,
    title: note.title ?? now.name,
    type: note.type,
    tags: [...tags.values()],
    aliases: note.aliases,
    frontmatterStatus: note.frontmatter.status,
    size: bytes.byteLength,
    words: note.words,
    contentHash: contentHash(bytes),
  };
}
