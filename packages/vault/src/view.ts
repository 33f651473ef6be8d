import type { FolderPath, VaultPath } from '@grove/core';
import type { Dialect, Link, Range } from '@grove/markdown';
import type { Mention } from './links/find-mentions.ts';
import type { NoteDetails, NoteRow, NoteTimes, ServedNote } from './note-row.ts';

/** How a name was found; the first step that fits wins (DESIGN, "A read"). */
export type ResolutionStep = 'path' | 'prefix' | 'journal' | 'name' | 'alias';

export type Resolution =
  | { readonly kind: 'found'; readonly step: ResolutionStep; readonly row: NoteRow }
  | { readonly kind: 'ambiguous'; readonly step: ResolutionStep; readonly candidates: readonly NoteRow[] }
  /**
   * Nothing fits. `journal`: the name is a periodic one (`today`) and this is where that note would be;
   * `template`: the visible note that the vault makes such notes from; `page`: where a Logseq graph would keep a page
   * of this name.
   */
  | {
      readonly kind: 'none';
      readonly journal: VaultPath | null;
      readonly template: VaultPath | null;
      readonly page: VaultPath | null;
    };

/** One link of a note as this View sees it; `to` is null when no visible note answers. */
export interface ResolvedLink {
  readonly link: Link;
  readonly from: NoteRow;
  readonly to: NoteRow | null;
}

/** A link that no visible note answers. */
export interface MissingTarget {
  readonly kind: Link['kind'];
  /** For a block reference the id of the block. */
  readonly target: string;
}

export interface FolderCount {
  readonly path: FolderPath;
  /** Visible notes in it and below. */
  readonly notes: number;
}

/**
 * What one caller may see of a vault, and the only way to see it. It answers as a vault holding only its
 * notes would: no method takes a flag that widens it, and a hidden note is an absent one.
 */
export interface View {
  /** Of the compiled rules and the vault; seals cursors. Equal rules give equal fingerprints. */
  readonly fingerprint: string;
  readonly dialect: Dialect;
  /** Grows when membership or any member's content changes. */
  readonly generation: number;
  readonly size: number;
  /** Members ordered by path (code-unit order). */
  notes(): readonly NoteRow[];
  /** Ids of the members, ascending; the same array while `generation` stands. */
  ids(): Uint32Array;
  /** The member at exactly this path (either Unicode form), or null. */
  get(path: VaultPath): NoteRow | null;
  byId(id: number): NoteRow | null;
  /**
   * For the owner, by path: the copies that sync tools left, which are no members. They can be read, and nothing else of
   * them is answered here. Empty in every other View.
   */
  conflictCopies(): readonly NoteRow[];
  details(row: NoteRow): NoteDetails;
  /** The frontmatter of {@link details}, at less cost where nothing else of them is wanted. */
  properties(row: NoteRow): NoteDetails['properties'];
  times(row: NoteRow): NoteTimes;
  /** Finds a note by path, name, alias or date among the members. Any string is fine. */
  resolve(reference: string): Resolution;
  /** The member that a link written in `from` points to, by the dialect's rules, or null. */
  resolveLink(link: Pick<Link, 'kind' | 'target'>, from: NoteRow): NoteRow | null;
  links(row: NoteRow): readonly ResolvedLink[];
  backlinks(row: NoteRow): readonly ResolvedLink[];
  /**
   * Resolves when it is known who links to whom. Who asks for all links waits for it first: it is found in slices, so that
   * others have their turn meanwhile.
   */
  linksKnown(): Promise<void>;
  /**
   * Ids of the members that this one links to, each once, itself left out. These and the two below come from what is
   * built on first use, all at once unless {@link linksKnown} was awaited, and kept up with every change: they cost next to
   * nothing.
   */
  targetIds(row: NoteRow): readonly number[];
  /** Ids of the members that link to this one, each once, itself left out; in no order. */
  sourceIds(row: NoteRow): readonly number[];
  /**
   * What this one links to and no member answers, as it is written; equal ones once. The same object until something
   * about the link changes; notes of one folder may share it.
   */
  missingTargets(row: NoteRow): readonly MissingTarget[];
  /** Where the names of members stand in a range of a text; see `findMentions`. */
  mentions(text: string, range: Range): readonly Mention[];
  /** Folders that hold members, with counts, ordered by path. */
  folders(): readonly FolderCount[];
  /**
   * Shows `look` how links would be resolved if this note lay at `to` (at its own path: how they are). Nothing of it
   * lasts longer than the call.
   */
  imagineMove<Result>(row: NoteRow, to: VaultPath, look: (moved: ImaginedMove) => Result): Result;
  /**
   * Opens, re-stats and reads the note, judges exactly these bytes, brings the catalog up to date when they
   * are new. Throws `note_not_found` when the file is gone or the View no longer shows it, `note_not_text`,
   * `note_too_large`, `vault_degraded`.
   */
  read(row: NoteRow): Promise<ServedNote>;
  /**
   * Hears of what becomes different for this View, at once, until what is returned is called. A listener must not
   * throw.
   */
  onChange(listener: (changes: readonly ViewChange[]) => void): () => void;
  /** True when this View may read everything and hears why something is refused (owner, stdio, plain keys). */
  readonly isOwner: boolean;
}

/** A change as one View sees it: a note that becomes hidden goes, one that was hidden comes. */
export interface ViewChange {
  readonly before: NoteRow | null;
  readonly after: NoteRow | null;
}

/** A View as it would be with one note at another place. */
export interface ImaginedMove {
  /** The note at that place. */
  readonly row: NoteRow;
  /** Members, the moved one first, with links that could point elsewhere than before because of the move. */
  readonly concerned: readonly NoteRow[];
  /** As {@link View.resolveLink}; `from` by its id. */
  resolveLink(link: Pick<Link, 'kind' | 'target'>, from: NoteRow): NoteRow | null;
  /** How many members have this file name or page name, ignoring case. */
  namedCount(name: string): number;
}

/** One `*_PATHS` entry: a vault-relative folder (whole segments and all below) or a glob with `*`, `**`. */
export interface PathRule {
  readonly source: string;
  matches(path: string): boolean;
}

/** What a {@link NoteRule} may judge a note by: what its bytes and its path say. */
export type JudgedNote = Pick<
  NoteRow,
  'path' | 'type' | 'tags' | 'otherTypes' | 'otherTags' | 'frontmatterStatus' | 'private' | 'conflictCopy'
>;

/** Judges a note by more than its path. It must depend on the note alone. */
export interface NoteRule {
  /** Canonical text of the rule: part of the View's fingerprint. */
  readonly source: string;
  admits(note: JudgedNote): boolean;
  /** False for a type of which no note is ever admitted: its name is not to be told. */
  admitsType(type: string): boolean;
}

/** What compiles into a View. Deny wins; an empty `readPaths` means everything. */
export interface ViewRules {
  readonly readPaths: readonly PathRule[];
  readonly writePaths: readonly PathRule[];
  readonly denyPaths: readonly PathRule[];
  readonly readOnly: boolean;
  /** What more a note must fit. A View with such a rule is never the owner's. */
  readonly notes?: NoteRule;
}
