import type { VaultPath } from '@grove/core';
import type { DiscoverySetting, NoteRow, View } from '@grove/vault';

/** What finding names of notes in texts stands on, beside the View in which they are found. */
export interface Discovery {
  /** As the owner has it now. */
  setting(): DiscoverySetting;
  /** True while notes may be changed. */
  mayChange(): boolean;
  /**
   * True for a name that so many of the View's notes hold without a link that it is a word like others; null while
   * nobody can tell.
   */
  isCommon(view: View, to: NoteRow, name: string): Promise<boolean | null>;
  /** Resolves when it can be told, or will not be. */
  ready(): Promise<void>;
  /** What each trail of the vault shows; null where that cannot be known: then Grove adds no link. */
  trailViews(): readonly View[] | null;
  /** Hears of links that could not be added, and why. */
  onProblem(cause: unknown): void;
}

/** A link as it is told. JSON. */
export interface LinkSuggestion {
  readonly path: VaultPath;
  /** What to put in the place of `text`. */
  readonly link: string;
  readonly text: string;
  readonly line: number;
}

/** A note that links were added to or taken from. */
export interface DiscoveredNote {
  readonly path: VaultPath;
  readonly links: readonly Omit<LinkSuggestion, 'path'>[];
}

/** A note that stays as it is, or keeps some links. */
export interface LeftAlone {
  readonly path: VaultPath;
  /** A sentence. */
  readonly reason: string;
}

/** What was done to links, or would be. */
export interface DiscoverOutcome {
  readonly notes: readonly DiscoveredNote[];
  /** None in a dry run. */
  readonly commits: readonly string[];
  readonly left: readonly LeftAlone[];
  /** Where to go on when the time was up; null when all notes were seen to. */
  readonly next: VaultPath | null;
}

/** Notes that one commit changes at most. */
export const AT_ONCE = 50;
