import { GroveError, isGroveError, Slices, type VaultPath } from '@grove/core';
import type { Dialect, Range } from '@grove/markdown';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';
import type { ClaimedMoments } from '../catalog/claimed-times.ts';
import { findMentions, type Mention } from '../links/find-mentions.ts';
import { LinkGraph, type NoteLinks } from '../links/link-graph.ts';
import { LinksWithin } from '../links/links-within.ts';
import { NameStarts } from '../links/name-starts.ts';
import type { NoteDetails, NoteRow, NoteTimes, ServedNote } from '../note-row.ts';
import { type LinkTarget, resolveLinkTarget } from '../resolve/link-rules.ts';
import { NameIndex } from '../resolve/name-index.ts';
import { byPath } from '../resolve/names.ts';
import { resolveReference } from '../resolve/resolve-reference.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { GitTimes } from '../times.ts';
import type {
  FolderCount,
  ImaginedMove,
  MissingTarget,
  Resolution,
  ResolvedLink,
  View,
  ViewChange,
} from '../view.ts';
import { imagineMove } from './imagine-move.ts';
import { Members } from './members.ts';
import { noteTimes } from './note-times.ts';

/** What every View of one vault stands on. */
export interface ViewGround {
  readonly catalog: Catalog;
  readonly times: GitTimes;
  readonly claims: ClaimedMoments;
  readonly settings: () => VaultSettings;
  readonly vaultNames: readonly string[];
  readonly now: () => number;
  /** Reads a note and brings the catalog up to date with what was read. */
  readonly serve: (row: CatalogRow) => Promise<ServedNote>;
}

export interface NoteViewOptions {
  readonly ground: ViewGround;
  readonly dialect: Dialect;
  readonly fingerprint: string;
  readonly isOwner: boolean;
  /** True for a note that this View may show. */
  readonly admits: (row: CatalogRow) => boolean;
  /** The View that shows all that this one does: names and links are derived from its own. Null for that View itself. */
  readonly whole: NoteView | null;
}

/** A View over the catalog: its own members, names and links, kept up with every change. */
export class NoteView implements View {
  readonly fingerprint: string;
  readonly dialect: Dialect;
  readonly isOwner: boolean;
  readonly #ground: ViewGround;
  readonly #members: Members;
  readonly #copies: Members;
  readonly #whole: NoteView | null;
  #index: NameIndex | null = null;
  #graph: LinkGraph | null = null;
  #within: LinksWithin | null = null;
  #starts: NameStarts | null = null;
  readonly #listeners = new Set<(changes: readonly ViewChange[]) => void>();
  #imagined: CatalogRow | null = null;

  constructor(options: NoteViewOptions) {
    const { ground, admits } = options;
    this.fingerprint = options.fingerprint;
    this.dialect = options.dialect;
    this.isOwner = options.isOwner;
    this.#ground = ground;
    this.#whole = options.whole;
    // A copy that a sync tool left would answer for the note it is a copy of.
    this.#members = new Members(shown(ground.catalog), (row) => !row.conflictCopy && admits(row));
    const isCopy = (row: CatalogRow): boolean => this.isOwner && row.conflictCopy && admits(row);
    this.#copies = new Members(shown(ground.catalog), isCopy);
  }

  get generation(): number {
    return this.#members.generation;
  }

  get size(): number {
    return this.#members.size;
  }

  notes(): readonly NoteRow[] {
    return this.#members.notes();
  }

  ids(): Uint32Array {
    return this.#members.ids();
  }

  get(path: VaultPath): NoteRow | null {
    return this.#members.at(path.normalize('NFC'));
  }

  byId(id: number): NoteRow | null {
    return this.#members.byId(id);
  }

  conflictCopies(): readonly NoteRow[] {
    return this.#copies.notes();
  }

  details(row: NoteRow): NoteDetails {
    return this.#ground.catalog.details(this.#member(row));
  }

  properties(row: NoteRow): NoteDetails['properties'] {
    return this.#ground.catalog.properties(this.#member(row));
  }

  times(row: NoteRow): NoteTimes {
    const { times, claims, settings } = this.#ground;
    return noteTimes(this.#member(row), { git: times, claims, zone: settings().zone });
  }

  resolve(reference: string): Resolution {
    const { settings, vaultNames, now } = this.#ground;
    return resolveReference(reference, {
      at: (path) => this.#members.at(path.normalize('NFC')),
      index: () => this.#names(),
      settings: settings(),
      vaultNames,
      now: now(),
    });
  }

  resolveLink(link: LinkTarget, from: NoteRow): NoteRow | null {
    return resolveLinkTarget(this.dialect, link, this.#member(from), this.#names());
  }

  links(row: NoteRow): readonly ResolvedLink[] {
    const from = this.#member(row);
    return this.details(from).links.map((link) => ({ link, from, to: this.resolveLink(link, from) }));
  }

  backlinks(row: NoteRow): readonly ResolvedLink[] {
    const { id } = this.#member(row);
    const sources = this.#links()
      .sourcesOf(id)
      .flatMap((source) => this.#members.byId(source) ?? []);
    return sources.sort(byPath).flatMap((source) => this.links(source).filter(({ to }) => to?.id === id));
  }

  async linksKnown(): Promise<void> {
    await (this.#whole ?? this).#graphOfAll().complete(new Slices());
  }

  targetIds(row: NoteRow): readonly number[] {
    return this.#links().targetsOf(this.#member(row).id);
  }

  sourceIds(row: NoteRow): readonly number[] {
    return this.#links().sourcesOf(this.#member(row).id);
  }

  missingTargets(row: NoteRow): readonly MissingTarget[] {
    return this.#links().missingOf(this.#member(row).id);
  }

  mentions(text: string, range: Range): readonly Mention[] {
    this.#starts ??= new NameStarts(this.#members.rows());
    const starts = this.#starts;
    return findMentions(text, range, {
      longestFrom: (word) => starts.longestFrom(word),
      called: (name) => this.#names().called(name),
    });
  }

  folders(): readonly FolderCount[] {
    return this.#members.folders();
  }

  imagineMove<Result>(row: NoteRow, to: VaultPath, look: (moved: ImaginedMove) => Result): Result {
    const member = this.#member(row);
    const ground = {
      dialect: this.dialect,
      settings: this.#ground.settings(),
      index: this.#names(),
      graph: this.#links(),
      byId: (id: number) => this.#members.byId(id),
      imagine: (moved: CatalogRow | null) => {
        this.#imagined = moved;
      },
    };
    return imagineMove(ground, member, this.properties(member), to, look);
  }

  async read(row: NoteRow): Promise<ServedNote> {
    const served = await this.#ground.serve(this.#copies.byId(row.id) ?? this.#member(row));
    // Judged by what was read: the note may have become one that this View does not show.
    const { id } = served.row;
    if (this.#members.byId(id) === null && this.#copies.byId(id) === null)
      throw new GroveError('note_not_found', { path: row.path });
    return served;
  }

  onChange(listener: (changes: readonly ViewChange[]) => void): () => void {
    // A function of its own: the same one may listen twice.
    const own = (changes: readonly ViewChange[]): void => listener(changes);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /**
   * Takes in a change of the catalog; the View that this one is derived from has done so.
   *
   * @param moved what the update of that View gave back
   * @returns ids of the notes whose links may point elsewhere now; none where nobody has asked for links
   */
  update(changes: readonly RowChange[], moved: ReadonlySet<number> = NONE_MOVED): ReadonlySet<number> {
    this.#copies.update(changes);
    const seen = this.#members.update(changes);
    this.#within?.update(seen, moved);
    if (seen.length === 0) return NONE_MOVED;
    if (this.#index !== null && this.#whole === null) {
      for (const { before } of seen) if (before !== null) this.#index.remove(before);
      for (const { after } of seen) if (after !== null) this.#index.add(after);
    }
    for (const { after } of seen) if (after !== null) this.#starts?.add(after);
    const stale = this.#updateGraph(seen);
    for (const listener of this.#listeners) listener(seen);
    return stale;
  }

  /** Makes the links ready, a slice at a time, for whoever asks for them first. */
  async prepareLinks(slices: Slices): Promise<void> {
    await this.#graphOfAll().prepare(slices);
  }

  #updateGraph(seen: readonly RowChange[]): ReadonlySet<number> {
    try {
      return this.#graph?.update(seen) ?? NONE_MOVED;
    } catch (error) {
      if (!isGroveError(error, 'index_unavailable')) throw error;
      // Built anew when it is next asked for.
      this.#graph = null;
      return NONE_MOVED;
    }
  }

  /** The member as it is now; a row that this View does not show is a note that is not there. */
  #member(row: NoteRow): CatalogRow {
    const member = this.#members.byId(row.id);
    if (member === null) throw new GroveError('note_not_found', { path: row.path });
    return member;
  }

  #names(): NameIndex {
    const byId = (id: number) => (this.#imagined?.id === id ? this.#imagined : this.#members.byId(id));
    this.#index ??=
      this.#whole === null ? new NameIndex(this.#members.rows(), byId) : this.#whole.#names().within(byId);
    return this.#index;
  }

  #links(): NoteLinks {
    if (this.#whole === null) return this.#graphOfAll();
    const whole = this.#whole.#graphOfAll();
    if (this.#within?.whole === whole) return this.#within;
    this.#within = new LinksWithin({
      whole,
      dialect: this.dialect,
      index: this.#names(),
      members: () => this.#members.rows(),
      byId: (id) => this.#members.byId(id),
    });
    return this.#within;
  }

  #graphOfAll(): LinkGraph {
    const { catalog } = this.#ground;
    this.#graph ??= new LinkGraph({
      dialect: this.dialect,
      index: this.#names(),
      byId: (id) => this.#members.byId(id),
      edges: (row) => catalog.edges(row),
      edgesAfter: (id, limit) => catalog.edgesAfter(id, limit),
    });
    return this.#graph;
  }
}

const NONE_MOVED: ReadonlySet<number> = new Set();

function* shown(catalog: Catalog): Iterable<CatalogRow> {
  for (const row of catalog.rows()) if (!catalog.isMasked(row)) yield row;
}
