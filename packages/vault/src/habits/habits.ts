import type { FieldKind } from '../settings/field-kinds.ts';

/** A property that most notes of a type have. */
export interface FieldHabit {
  readonly name: string;
  readonly kind: FieldKind;
  /** For `enum`: the words in use, the most frequent first. */
  readonly values: readonly string[];
  /** Notes of the type that have it, with something in it. */
  readonly notes: number;
}

/** What notes of one type have in common. */
export interface TypeHabit {
  readonly name: string;
  readonly notes: number;
  /** The innermost folder that most of them lie in; null when there is none. */
  readonly folder: { readonly path: string; readonly notes: number; readonly only: boolean } | null;
  /** Notes whose tags include the type. */
  readonly tagged: number;
  readonly fields: readonly FieldHabit[];
  /** A note in a folder of templates that is one of this type, or null. */
  readonly template: string | null;
}

/** How notes of days are named. */
export interface JournalHabit {
  readonly folder: string;
  /** In the letters of moment.js. */
  readonly format: string;
  readonly notes: number;
  /** True when the vault's own settings say the same already. */
  readonly known: boolean;
}

/** What a vault does by itself, without rules. */
export interface Habits {
  readonly notes: number;
  /** Those with three notes or more, the most frequent first. */
  readonly types: readonly TypeHabit[];
  /** Types with fewer notes: no habit yet. */
  readonly seldom: readonly string[];
  /** Notes without a type that say by another property what they are: no rule can go by that. */
  readonly untyped: { readonly property: string; readonly notes: number } | null;
  readonly tagsIncludeType: boolean;
  readonly journal: JournalHabit | null;
}

/** The part of the notes of a type that makes a habit. */
export const HABIT = 0.8;
