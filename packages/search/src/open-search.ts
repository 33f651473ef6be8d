import { type Clock, GroveError, Slices, systemClock } from '@grove/core';
import type { Vault, View } from '@grove/vault';
import { answer } from './answer.ts';
import type { SearchAnswer, SearchRequest, VaultSearch } from './contract.ts';
import { nativeEngine } from './engine/native-engine.ts';
import type { LexicalEngine, LexicalIndex, NoteSet } from './engine/port.ts';
import { IndexKeeper } from './indexing/index-keeper.ts';
import { queryInStep } from './indexing/query-in-step.ts';
import { AlikeNotes } from './likeness/alike-notes.ts';
import { textsMatching } from './literal/texts-matching.ts';
import { type MeaningSetup, Meanings, type MeaningsOptions } from './meaning/meanings.ts';
import { operatorAgainst } from './misses/operator-against.ts';
import { NameIndex } from './names/name-index.ts';
import type { Fusion, SearchScope } from './ranking/ranking.ts';

export interface OpenSearchOptions {
  readonly vault: Vault;
  /** Folder of the index alone, such as `<state>/index/lexical`; made when missing. */
  readonly dir: string;
  readonly clock?: Clock;
  /** Default: the engine of `packages/native`. */
  readonly engine?: LexicalEngine;
  /** Search by meaning; left out: by words alone. */
  readonly meaning?: MeaningSetup;
  /** Default: `z`. */
  readonly fusion?: Fusion;
}

/** The search of a vault, for whoever opened it. */
export interface OpenedSearch extends VaultSearch {
  /** Sets up search by meaning where there was none. */
  useMeaning(meaning: MeaningSetup): void;
  /** The model before answers no more; resolves when its folder may be deleted. */
  endFormer(): Promise<void>;
}

/**
 * Opens the search of a vault. Call it in the same turn in which `openVault` resolved: what changes from then
 * on is taken in, what changed while the index was closed is caught up with. Never rejects for an index that
 * cannot be used: it is built anew, or `health()` says why it cannot be.
 *
 * @example
 * const search = await openSearch({ vault, dir: join(stateDir, 'index', 'lexical') });
 * await search.ready;
 */
export async function openSearch(options: OpenSearchOptions): Promise<OpenedSearch> {
  const { vault, dir, clock = systemClock, engine = nativeEngine, fusion = 'z' } = options;
  const keeper = new IndexKeeper({ vault, dir, engine, clock });
  let opened = openMeaning(options.meaning === undefined ? null : { ...options.meaning, vault, clock });
  let alike: AlikeNotes | null = null;
  let closed = false;
  const names = new NameIndex();
  const unsubscribe = vault.onDelta(async ({ upserted, removed }) => {
    for (const row of removed) names.remove(row.id);
    for (const row of upserted) names.put(row);
  });
  await learnNames(names, vault.ownerView());
  const membersOf = memberSets(engine);

  const scopeOf = (
    index: LexicalIndex,
    view: View,
    within: Uint32Array | null,
  ): Omit<SearchScope, 'meaning'> => ({
    index,
    tokens: engine.tokens,
    setOf: engine.setOf,
    names,
    view,
    members: membersOf(view),
    within,
    fusion,
  });

  return {
    ready: keeper.ready,
    async search(view: View, request: SearchRequest) {
      if (request.searches.length === 0) throw new GroveError('bad_input', { reason: 'searches is empty' });
      // A note that could not be read at open may be back without having changed.
      const everything = vault.ownerView();
      if (everything.size > names.size) await learnNames(names, everything);
      return await keeper.query(async (index): Promise<SearchAnswer> => {
        const scope = scopeOf(index, view, request.within);
        const { meanings } = opened;
        if (meanings === null) return await answer({ ...scope, meaning: null }, request);
        return await meanings.using(view, (meaning) => answer({ ...scope, meaning }, request));
      });
    },
    operatorAgainst: (view, query, within, id) =>
      keeper.query((index) => operatorAgainst(scopeOf(index, view, within), query, id)),
    notesSaying: (view, words, among) =>
      keeper.glance(async (index) => {
        const { total } = await index.search({
          query: { kind: 'phrase', text: words, fields: { body_exact: 1 } },
          view: membersOf(view),
          filter: engine.setOf(among),
          limit: 0,
          snippets: null,
        });
        return total;
      }),
    textsMatching: (view, regex, among) =>
      queryInStep(keeper, (index, upTo) => {
        const [members, filter] = [membersOf(view), engine.setOf(among)];
        return textsMatching(index, { members, filter, regex, upTo });
      }),
    textOf: (view, row) =>
      queryInStep(keeper, async (index, upTo) => {
        const text = row.sequence <= upTo ? await index.text(row.id) : null;
        // A newer text belongs to a row that the View has by now.
        return view.byId(row.id) === row ? text : null;
      }),
    health: () => ({
      ...keeper.health(),
      meaning: opened.meanings?.health(vault.ownerView()) ?? null,
      meaningProblem: opened.meaningProblem,
    }),
    embeddedOf: (view) => opened.meanings?.current.index.counts(view.ids()) ?? null,
    isEmbedded: (view, id) => {
      const { meanings } = opened;
      return meanings === null ? null : meanings.of(view).index.lacking(Uint32Array.of(id)) === 0;
    },
    alikeNotes: async (view, patienceMs) => {
      if (opened.meanings === null) return null;
      alike ??= new AlikeNotes(opened.meanings.current.index, vault.ownerView());
      return await alike.pairs(view, patienceMs);
    },
    embedded: async (ids) => (await opened.meanings?.settled(ids)) ?? false,
    useMeaning(meaning) {
      if (opened.meanings === null && !closed) opened = openMeaning({ ...meaning, vault, clock });
    },
    endFormer: async () => await opened.meanings?.endFormer(),
    rebuild: () => keeper.rebuild(),
    async close() {
      closed = true;
      alike?.stop();
      unsubscribe();
      await opened.meanings?.close();
      await keeper.close();
    },
  };
}

interface OpenedMeaning {
  readonly meanings: Meanings | null;
  readonly meaningProblem: string | null;
}

/** A disk that refuses the records of the vectors must not keep a vault from being searched by words. */
function openMeaning(options: MeaningsOptions | null): OpenedMeaning {
  if (options === null) return { meanings: null, meaningProblem: null };
  try {
    return { meanings: new Meanings(options), meaningProblem: null };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { meanings: null, meaningProblem: `The disk refuses the index by meaning: ${said}.` };
  }
}

/**
 * Names of the View's notes that are not known yet, in slices; a row that a delta brought meanwhile is the newer
 * one. By id, since a View that changes all the time would sort its notes for each query of a first scan.
 */
async function learnNames(names: NameIndex, view: View): Promise<void> {
  const slices = new Slices();
  for (const id of view.ids()) {
    if (slices.spent) await slices.rest();
    const row = names.has(id) ? null : view.byId(id);
    if (row !== null) names.put(row);
  }
}

/** The engine's set of a View, kept while its members are the same: term statistics are cached with it. */
function memberSets(engine: LexicalEngine): (view: View) => NoteSet {
  const sets = new WeakMap<View, { readonly ids: Uint32Array; readonly set: NoteSet }>();
  return (view) => {
    const ids = view.ids();
    const known = sets.get(view);
    if (known !== undefined && sameIds(known.ids, ids)) return known.set;
    const set = engine.setOf(ids);
    sets.set(view, { ids, set });
    return set;
  };
}

function sameIds(a: Uint32Array, b: Uint32Array): boolean {
  return (
    a === b ||
    Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(
      Buffer.from(b.buffer, b.byteOffset, b.byteLength),
    )
  );
}
