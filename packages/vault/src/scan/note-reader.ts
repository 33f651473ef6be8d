import { contentHash, isGroveError, Slices, type VaultPath } from '@grove/core';
import { decodeNote, parseNotes } from '@grove/markdown';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { describeNote, type FileReading, type NoteReading } from '../catalog/read-note.ts';
import { readNoteFile } from '../disk/read-note-file.ts';
import { ReadPace } from '../disk/read-pace.ts';
import type { SkipReason } from '../disk/stat-key.ts';
import type { VaultSettings } from '../settings/settings.ts';

/** A file to be read, with the row that was there when that was decided. */
export interface WantedFile {
  readonly path: VaultPath;
  readonly diskPath: string;
  readonly expected: CatalogRow | null;
  /** Bytes that are expected, for sharing out work. */
  readonly size: number;
}

/** What reading one wanted file gave. */
export type FileResult =
  | { readonly kind: 'read'; readonly wanted: WantedFile; readonly file: FileReading }
  | { readonly kind: 'gone'; readonly wanted: WantedFile }
  | {
      readonly kind: 'refused';
      readonly wanted: WantedFile;
      readonly reason: SkipReason;
      readonly size: number;
    };

export interface ReaderOptions {
  readonly root: string;
  readonly maxBytes: number;
  readonly settings: () => VaultSettings;
}

/** Reads at a time: enough to hide a disk's latency, few enough to leave the thread pool to others. */
const PARALLEL = 8;

/** Reads and parses the vault's files. */
export class NoteReader {
  readonly #options: ReaderOptions;
  readonly #pace = new ReadPace();
  #parsed = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Notes parsed so far for the catalog. */
  get parsed(): number {
    return this.#parsed;
  }

  async read(wanted: WantedFile): Promise<FileResult> {
    const readAt = Date.now();
    const outcome = await readNoteFile(
      this.#options.root,
      wanted.diskPath,
      this.#options.maxBytes,
      this.#pace,
    );
    if (outcome.kind === 'gone') return { kind: 'gone', wanted };
    if (outcome.kind === 'refused')
      return { kind: 'refused', wanted, reason: outcome.reason, size: outcome.size };
    const { bytes, facts } = outcome;
    const { path, diskPath } = wanted;
    return {
      kind: 'read',
      wanted,
      file: { path, diskPath, bytes, facts, readAt, contentHash: contentHash(bytes) },
    };
  }

  /** Reads many files, eight at a time, in the order given. */
  async readMany(wanted: readonly WantedFile[]): Promise<FileResult[]> {
    const results: FileResult[] = new Array(wanted.length);
    const slices = new Slices();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < wanted.length) {
        const index = next++;
        results[index] = await this.read(wanted[index]!);
        if (slices.spent) await slices.rest();
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    return results;
  }

  /** Parses files; null in the place of one that is not UTF-8 text. */
  async parse(files: readonly FileReading[]): Promise<(NoteReading | null)[]> {
    const settings = this.#options.settings();
    const texts = files.map((file) => decoded(file));
    const items = files.flatMap((file, index) => {
      const text = texts[index];
      return text === null || text === undefined ? [] : [{ text, path: file.path }];
    });
    const notes = await parseNotes(items, settings.dialect);
    this.#parsed += notes.length;
    const slices = new Slices();
    const readings: (NoteReading | null)[] = [];
    let taken = 0;
    for (const [index, file] of files.entries()) {
      if (slices.spent) await slices.rest();
      readings.push(texts[index] === null ? null : describeNote(file, notes[taken++]!, settings));
    }
    return readings;
  }
}

function decoded(file: FileReading): string | null {
  try {
    return decodeNote(file.bytes, file.path).text;
  } catch (error) {
    if (isGroveError(error, 'note_not_text')) return null;
    throw error;
  }
}
