/**
 * What a trail shares. A note is in it when every list agrees: an `allow` list that is not empty must fit it, a `deny`
 * list must not. The lists are as their giver spelled them, less what says nothing (a `#`, white space, repetitions).
 */
export interface TrailRules {
  /** The note has one of these tags, or one nested in it: `ai` covers `ai/ml`. */
  readonly allowTags: readonly string[];
  readonly denyTags: readonly string[];
  /** The note is of one of these types. */
  readonly allowTypes: readonly string[];
  readonly denyTypes: readonly string[];
  /** Folders with all below them, or globs, as path policies have them. */
  readonly allowPaths: readonly string[];
  readonly denyPaths: readonly string[];
  /** Folders in which notes of the trail may be written; none: it is only read. */
  readonly writeFolders: readonly string[];
}

/** Rules that say nothing. No trail is made of them: it would share the whole vault. */
export const NO_TRAIL_RULES: TrailRules = {
  allowTags: [],
  denyTags: [],
  allowTypes: [],
  denyTypes: [],
  allowPaths: [],
  denyPaths: [],
  writeFolders: [],
};
