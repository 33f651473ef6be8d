import type { NoteRow, View } from '@grove/vault';
import type { EngineSnippet, LexicalEngine, LexicalIndex, NoteSet, QueryNode } from '../engine/port.ts';
import type { Meaning } from '../meaning/meanings.ts';
import type { NameIndex } from '../names/name-index.ts';

/** Where one search looks: an open index, the View that asks, and what narrows its hits. */
export interface SearchScope {
  readonly index: LexicalIndex;
  readonly tokens: LexicalEngine['tokens'];
  readonly setOf: LexicalEngine['setOf'];
  readonly names: NameIndex;
  readonly view: View;
  /** The View's ids in the engine's form. */
  readonly members: NoteSet;
  /** Ids to which hits are restricted, or null. */
  readonly within: Uint32Array | null;
  /** Null where no embedding model is set up. */
  readonly meaning: Meaning | null;
  /** How lists by words and by meaning become one: by their scores, or by rank. */
  readonly fusion: Fusion;
}

/** `z`: by standard scores; `rrf`: reciprocal rank fusion. */
export type Fusion = 'z' | 'rrf';

/** A note's place in one list. */
export interface RankedNote {
  readonly row: NoteRow;
  readonly score: number;
  /** The query is its title, file name or alias. */
  readonly exact: boolean;
}

/** One list's answer: the notes that match, best first, as deep as was asked. */
export interface Ranking {
  readonly notes: readonly RankedNote[];
  /** Notes that match in all. */
  readonly total: number;
  /** What chooses and marks the snippets. */
  readonly marking: QueryNode;
  /** What finds the lines to show, or null. */
  readonly lines: LineQuery | null;
  readonly remarks: readonly string[];
  /** For a search by words: the share of the query's words that notes of the View hold, 0 to 1; left out: 1. */
  readonly coverage?: number;
  /** Snippets by note id, as far as the ranking cut them in passing; the others are cut for the page. */
  readonly snippets?: ReadonlyMap<number, readonly EngineSnippet[]>;
  /** For a search by meaning: what the notes were compared with. */
  readonly vector?: Float32Array;
  /** True where feedback of the first notes may move {@link vector}; left out: it stays. */
  readonly takesFeedback?: boolean;
}

/** A search by lines of the stored text. */
export interface LineQuery {
  readonly words: readonly string[];
  readonly regex: string | null;
}

export const emptyRanking: Ranking = {
  notes: [],
  total: 0,
  marking: { kind: 'all' },
  lines: null,
  remarks: [],
};

/** An intent is a sentence; more of it (UTF-16 units) does not steer better. */
const MAX_INTENT = 300;

/** What of an intent steers scores and snippets. */
export function steering(intent: string | null): string {
  return (intent ?? '').slice(0, MAX_INTENT);
}
