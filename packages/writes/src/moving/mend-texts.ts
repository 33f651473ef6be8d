import type { VaultPath } from '@grove/core';
import { decodeNote, type Link, type NoteText } from '@grove/markdown';
import type { ImaginedMove, NoteRow, View } from '@grove/vault';
import type { FileNow } from '../engine/contract.ts';
import { parseText } from '../notes/parse-text.ts';
import { changesOfLinks, isTurned, type LinkChanges, type NoteToMend, writeLinks } from './mend-note.ts';
import { isTagOf, type PageRename, renameTags } from './page-tags.ts';

/** A move, done or to be done, as one View sees it. */
export interface SeenMove {
  readonly view: View;
  /** The note as the View has it now: at `from` before the move, at `to` after it. */
  readonly row: NoteRow;
  readonly from: VaultPath;
  readonly to: VaultPath;
  isFile(path: string): boolean;
  /**
   * True for a note in which only links to the moved note are mended, by its path. Whoever moved it sees that note, and
   * would read in other links what a note is called that they do not see.
   */
  readonly isNarrow?: (row: NoteRow) => boolean;
}

/** A note as its links read after the move. */
export interface MendedText {
  readonly path: VaultPath;
  readonly before: string;
  readonly text: string;
  /** Links that were written anew. */
  readonly links: number;
  /** Links that could not be. */
  readonly left: number;
}

type Meaning = NoteToMend['meant'][number];

/** The notes, by where they are now, whose links the move changes or changed; the moved one first if it is one. */
export function notesToMend(move: SeenMove): NoteRow[] {
  // One of both is how things are, and the other knows the links to either place.
  const ids = [move.from, move.to].flatMap((at) =>
    imagine(move, at, ({ concerned }) => concerned.map(({ id }) => id)),
  );
  const rename = pageRename(move);
  const tagged =
    rename === null ? [] : move.view.notes().filter(({ tags }) => tags.some((tag) => isTagOf(tag, rename)));
  const named = new Set(tagged.map(({ id }) => id));
  const rows = [...new Set([...ids, ...named])].flatMap((id) => move.view.byId(id) ?? []);
  const links = rows.map((row) => move.view.details(row).links);
  const meant = imagine(move, move.from, (world) =>
    rows.map((row, at) => meanings(move, row, links[at] ?? [], world)),
  );
  return imagine(move, move.to, (world) =>
    rows.filter(
      (row, at) =>
        row.id === move.row.id ||
        named.has(row.id) ||
        (links[at] ?? []).some((link, index) => {
          const led = meant[at]?.[index] ?? null;
          return (
            led !== null &&
            isTurned(link, led, { dialect: move.view.dialect, from: row, fromBefore: row.path, world })
          );
        }),
    ),
  );
}

/** Writes the links of these files anew, on their bytes of now; files without a change are left out. */
export async function mendTexts(
  move: SeenMove,
  rows: readonly NoteRow[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
): Promise<MendedText[]> {
  const notes: { readonly row: NoteRow; readonly note: NoteText }[] = [];
  for (const row of rows) {
    const file = files.get(row.path) ?? null;
    if (file === null) continue;
    const { text } = decodeNote(file.bytes, row.path);
    notes.push({ row, note: await parseText(text, move.view.dialect, row.path) });
  }
  const changes = changesOf(move, notes);
  const rename = pageRename(move);
  const mended: MendedText[] = [];
  for (const [at, { row, note }] of notes.entries()) {
    const { text, links, left } = await writeLinks(note, changes[at] ?? { changes: [], left: 0 }, row.path);
    const renamed =
      rename === null
        ? { text, tags: 0 }
        : renameTags(await parseText(text, move.view.dialect, row.path), rename);
    const count = links + renamed.tags;
    if (count > 0 || left > 0)
      mended.push({ path: row.path, before: note.text, text: renamed.text, links: count, left });
  }
  return mended;
}

/** Null where no tag is a link, or the page keeps its name, or the name was another page's as well. */
function pageRename(move: SeenMove): PageRename | null {
  if (move.view.dialect !== 'logseq') return null;
  const before = imagine(move, move.from, ({ row, resolveLink }) =>
    resolveLink({ kind: 'wikilink', target: row.name }, row)?.id === row.id ? row.name : null,
  );
  const after = imagine(move, move.to, ({ row }) => row.name);
  return before === null || before === after ? null : { before, after };
}

function changesOf(
  move: SeenMove,
  notes: readonly { readonly row: NoteRow; readonly note: NoteText }[],
): LinkChanges[] {
  const meant = imagine(move, move.from, (world) =>
    notes.map(({ row, note }) => meanings(move, row, note.links, world)),
  );
  return imagine(move, move.to, (world) =>
    notes.map(({ row, note }, at) => {
      const isMoved = row.id === move.row.id;
      const mend: NoteToMend = {
        note,
        from: isMoved ? world.row : row,
        fromBefore: isMoved ? move.from : row.path,
        meant: meant[at] ?? [],
      };
      const mayUseNames = move.view.isOwner && move.isNarrow?.(row) !== true;
      return changesOfLinks(mend, { world, mayUseNames, isFile: move.isFile });
    }),
  );
}

function meanings(move: SeenMove, from: NoteRow, links: readonly Link[], world: ImaginedMove): Meaning[] {
  const isNarrow = move.isNarrow?.(from) === true;
  return links.map((link) => {
    const row = world.resolveLink(link, from);
    return row === null || (isNarrow && row.id !== move.row.id) ? null : { row, pathBefore: row.path };
  });
}

function imagine<Result>(move: SeenMove, at: VaultPath, look: (world: ImaginedMove) => Result): Result {
  return move.view.imagineMove(move.row, at, look);
}
