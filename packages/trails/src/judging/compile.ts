import { coversTag, foldCase, foldTag } from '@grove/core';
import { type JudgedNote, type PathRule, parsePathRule, readableBy } from '@grove/vault';
import type { TrailRules } from '../rules/trail-rules.ts';

/** Why a note is not in a trail; `rule` is the one that decided, where one did. */
export interface Obstacle {
  readonly kind:
    | 'private'
    | 'unreadable_frontmatter'
    | 'conflict_copy'
    | 'denied_path'
    | 'denied_tag'
    | 'denied_type'
    | 'no_allowed_path'
    | 'no_allowed_tag'
    | 'no_allowed_type';
  readonly rule: string | null;
}

/** The rules of a trail, ready to be asked about many notes. */
export interface CompiledRules {
  readonly readPaths: readonly PathRule[];
  readonly denyPaths: readonly PathRule[];
  readonly writePaths: readonly PathRule[];
  /** What keeps the note out by what it holds, or null. */
  obstacleInNote(note: JudgedNote): Obstacle | null;
  /** False for a type of which every note is kept out. */
  admitsType(type: string): boolean;
  /** What keeps the note out by where it lies, or null. */
  obstacleInPath(path: string): Obstacle | null;
}

/** Compiles rules that were parsed. */
export function compileRules(rules: TrailRules): CompiledRules {
  const readPaths = rules.allowPaths.map(parsePathRule);
  const denyPaths = rules.denyPaths.map(parsePathRule);
  const [allowTags, denyTags] = [rules.allowTags, rules.denyTags].map((tags) => tags.map(foldTag));
  const [allowTypes, denyTypes] = [rules.allowTypes, rules.denyTypes].map((types) => types.map(foldCase));
  const isReadable = readableBy(pathsAlone(readPaths, []));
  const denials = denyPaths.map((rule) => ({ rule, leaves: readableBy(pathsAlone([], [rule])) }));
  const asksTags = allowTags!.length + denyTags!.length > 0;
  const asksTypes = allowTypes!.length + denyTypes!.length > 0;
  return {
    readPaths,
    denyPaths,
    writePaths: rules.writeFolders.map(parsePathRule),
    obstacleInNote: (note) => {
      if (note.conflictCopy) return { kind: 'conflict_copy', rule: null };
      if (note.frontmatterStatus !== 'ok' && note.frontmatterStatus !== 'none')
        return { kind: 'unreadable_frontmatter', rule: null };
      if (note.private) return { kind: 'private', rule: null };
      if (asksTags) {
        const tags = note.tags.map(foldTag);
        const has = (wanted: string): boolean => tags.some((tag) => coversTag(wanted, tag));
        // What is denied is denied in whatever form it is written; what is allowed must be one.
        const others = note.otherTags.map(foldTag);
        const hints = (wanted: string): boolean =>
          has(wanted) || others.some((tag) => coversTag(wanted, tag));
        const denied = denyTags!.findIndex(hints);
        if (denied >= 0) return { kind: 'denied_tag', rule: rules.denyTags[denied] ?? null };
        if (allowTags!.length > 0 && !allowTags!.some(has)) return { kind: 'no_allowed_tag', rule: null };
      }
      if (asksTypes) {
        const type = note.type === null ? null : foldCase(note.type.trim());
        const is = (wanted: string): boolean => wanted === type;
        const others = note.otherTypes.map(foldCase);
        const denied = denyTypes!.findIndex((wanted) => is(wanted) || others.includes(wanted));
        if (denied >= 0) return { kind: 'denied_type', rule: rules.denyTypes[denied] ?? null };
        if (allowTypes!.length > 0 && !allowTypes!.some(is)) return { kind: 'no_allowed_type', rule: null };
      }
      return null;
    },
    admitsType: (type) => {
      const folded = foldCase(type.trim());
      return !denyTypes!.includes(folded) && (allowTypes!.length === 0 || allowTypes!.includes(folded));
    },
    obstacleInPath: (path) => {
      const denial = denials.find(({ leaves }) => !leaves(path));
      if (denial !== undefined) return { kind: 'denied_path', rule: denial.rule.source };
      return isReadable(path) ? null : { kind: 'no_allowed_path', rule: null };
    },
  };
}

function pathsAlone(readPaths: readonly PathRule[], denyPaths: readonly PathRule[]) {
  return { readPaths, denyPaths, writePaths: [], readOnly: false };
}
