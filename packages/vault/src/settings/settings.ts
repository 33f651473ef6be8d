import type { Dialect, Granularity, LogseqNameFormat, PatternStyle } from '@grove/markdown';
import type { GardenSettings } from './garden.ts';
import type { VaultSchema } from './note-types.ts';

/** Where periodic notes of one granularity lie. */
export interface JournalPattern {
  /** Vault-relative; `''` is the top. */
  readonly folder: string;
  /** The file's path below `folder`, without `.md`, as a date format. */
  readonly format: string;
  /** Whose letters the format uses: moment (`YYYY-MM-DD`) or Java (`yyyy_MM_dd`, Logseq). */
  readonly style: PatternStyle;
  /** Vault-relative path of the note that new ones are made from, with or without `.md`; null when none is set. */
  readonly template: string | null;
}

/** How a Logseq graph names its files and pages. */
export interface LogseqNames {
  readonly journalsFolder: string;
  /** Where new pages go. */
  readonly pagesFolder: string;
  readonly fileNameFormat: string;
  readonly pageTitleFormat: string;
  readonly fileNames: LogseqNameFormat;
}

/** What becomes of a note that a client deletes: it goes to the trash, or it needs a person's word, or it stays. */
export type DeletePolicy = 'trash' | 'confirm' | 'deny';

/** What becomes of names of notes that are not linked: nothing, or answers suggest links, or Grove adds them itself. */
export type DiscoverySetting = 'off' | 'suggest' | 'wire';

/** What the folder says about itself; read at open and again when one of the files changes. */
export interface VaultSettings {
  readonly dialect: Dialect;
  /** IANA zone. */
  readonly zone: string;
  /** At most 600 characters. */
  readonly instructions: string | null;
  /** Content hash of the note that they are taken from; null where they stand in the settings, or there are none. */
  readonly instructionsNote: string | null;
  readonly journals: Readonly<Record<Granularity, JournalPattern>>;
  readonly logseq: LogseqNames;
  /** What the owner wants of notes, by type. */
  readonly schema: VaultSchema;
  readonly deletes: DeletePolicy;
  /** Whether what is changed outside is committed without being asked; null where the owner does not say. */
  readonly autocommit: boolean | null;
  /** Whether the git dir is kept small without being asked. */
  readonly maintenance: boolean;
  readonly discovery: DiscoverySetting;
  /** How notes are staged. */
  readonly garden: GardenSettings;
  /** Sentences for the owner about settings that were not understood or do not take effect. */
  readonly remarks: readonly string[];
}

/** Of everything that decides how a note's bytes become a row: another one means that notes are read anew. */
export function readingKey({ dialect, logseq }: VaultSettings): string {
  return JSON.stringify([dialect, dialect === 'logseq' ? { ...logseq, pagesFolder: undefined } : null]);
}
