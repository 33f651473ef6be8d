import { foldCase } from '@grove/core';
import type { VaultSearch } from '@grove/search';
import type { NoteRow, View } from '@grove/vault';

/** How the notes of one View use a name. */
export interface NameUse {
  /** Notes of the View. */
  readonly notes: number;
  /** Notes that hold the name's words and do not link to the note that has it. */
  readonly unlinked: number;
  /** Notes that link to it. */
  readonly linking: number;
}

const LEAST_NOTES = 10;
const LEAST_SHARE = 0.04;
/** So many times as many as link to it. */
const LEAST_RATIO = 4;
/** Names that are remembered for each View. */
const REMEMBERED = 2_000;

/**
 * Whether a name is a word of ordinary text, such as "Today" or "Work": many notes hold it, and few of them mean the note.
 *
 * @example isCommonName({ notes: 500, unlinked: 60, linking: 2 }) // true
 */
export function isCommonName({ notes, unlinked, linking }: NameUse): boolean {
  return unlinked >= LEAST_NOTES && unlinked >= notes * LEAST_SHARE && unlinked > linking * LEAST_RATIO;
}

interface Learnt {
  readonly isCommon: boolean;
  readonly generation: number;
}

/** Learns from each View which names are words like others; what was learnt holds until a part of the View changed. */
export class CommonNames {
  readonly #search: VaultSearch;
  readonly #learnt = new WeakMap<View, Map<string, Learnt>>();

  constructor(search: VaultSearch) {
    this.#search = search;
  }

  /** Null while there is no index to learn from. */
  async isCommon(view: View, to: NoteRow, name: string): Promise<boolean | null> {
    const learnt = this.#learnt.get(view) ?? new Map<string, Learnt>();
    this.#learnt.set(view, learnt);
    const key = `${to.id} ${foldCase(name)}`;
    const known = learnt.get(key);
    if (known !== undefined && view.generation - known.generation <= view.size * (LEAST_SHARE / 2))
      return known.isCommon;
    const { generation } = view;
    const isCommon = await this.#look(view, to, name);
    if (isCommon === null) return null;
    if (learnt.size >= REMEMBERED) learnt.clear();
    learnt.set(key, { isCommon, generation });
    return isCommon;
  }

  async #look(view: View, to: NoteRow, name: string): Promise<boolean | null> {
    if (view.size < LEAST_NOTES) return false;
    const linking = new Set(view.sourceIds(to));
    const others = view.ids().filter((id) => id !== to.id && !linking.has(id));
    const unlinked = await this.#search.notesSaying(view, name, others);
    if (unlinked === null) return null;
    return isCommonName({ notes: view.size, unlinked, linking: linking.size });
  }
}
