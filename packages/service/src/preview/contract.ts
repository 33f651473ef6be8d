import type { Verdict } from '@grove/trails';

/** One note as a preview lists it. JSON. */
export interface PreviewedNote {
  readonly path: string;
  /** Where it differs from the file name. */
  readonly title?: string;
}

/** Why one note is in or out. JSON. */
export interface NoteVerdict extends Verdict {
  readonly path: string;
}

/** A place where a note that the trail shows names one that it does not: what people typed is served as it is. JSON. */
export interface PreviewWarning {
  /** The note that is shown. */
  readonly path: string;
  readonly line: number;
  /** The words that name the other one. */
  readonly text: string;
  readonly how: 'link' | 'embed' | 'title' | 'alias';
  /** The note that is not shown. */
  readonly names: string;
}

/** The places that were found, and whether all of the shown notes were looked through. JSON. */
export interface PreviewWarnings {
  readonly warnings: readonly PreviewWarning[];
  readonly complete: boolean;
}

/** What a trail would show of a vault, for its owner: never to be told to who holds the trail. */
export interface TrailPreview {
  /** What a consumer sees, by path. */
  readonly visible: readonly PreviewedNote[];
  /** How many notes of the vault it does not see. */
  readonly hidden: number;
  /** Sentences on rules that do nothing here: a tag that no note has, a folder that is not there. */
  readonly remarks: readonly string[];
  /**
   * Why a note is in or out, by any of its names; null for one that the vault does not have.
   *
   * @throws GroveError `note_ambiguous`
   */
  verdictOf(reference: string): NoteVerdict | null;
  /** Reads the notes that are shown; stops after `most` places. */
  warnings(most?: number): Promise<PreviewWarnings>;
}
