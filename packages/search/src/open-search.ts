import { type Clock, GroveError, Slices, systemClock } from '@grove/core';
import type { Vault, View } from '@grove/vault';
import { answer } from './answer.ts';
import type { SearchRequest, VaultSearch } from './contract.ts';
import { nativeEngine } from './engine/native-engine.ts';
import type { LexicalEngine, NoteSet } from './engine/port.ts';
import { IndexKeeper } from './indexing/index-keeper.ts';
import { MeaningIndex, type MeaningIndexOptions } from './meaning/meaning-index.ts';
import { QueryVectors } from './meaning/query-vectors.ts';
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
  readonly meaning?: Omit<MeaningIndexOptions, 'vault' | 'clock'>;
  /** Default: `z`. */
  readonly fusion?: Fusion;
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
export async function openSearch(options: OpenSearchOptions): Promise<VaultSearch> {
  const { vault, dir, clock = systemClock, engine = nativeEngine, fusion = 'z' } = options;
  const keeper = new IndexKeeper({ vault, dir, engine, clock });
  const { meaning, meaningProblem } = openMeaning(
    options.meaning === undefined ? null : { ...options.meaning, vault, clock },
  );
  const names = new NameIndex();
  const unsubscribe = vault.onDelta(async ({ upserted, removed }) => {
    for (const row of removed) names.remove(row.id);
    for (const row of upserted) names.put(row);
  });
  await learnNames(names, vault.ownerView());
  const membersOf = memberSets(engine);

  return {
    ready: keeper.ready,
    async search(view: View, request: SearchRequest) {
      if (request.searches.length === 0) throw new GroveError('bad_input', { reason: 'searches is empty' });
      // A note that could not be read at open may be back without having changed.
      const everything = vault.ownerView();
      if (everything.size > names.size) await learnNames(names, everything);
      return await keeper.query(async (index) => {
        const scope = {
          index,
          tokens: engine.tokens,
          setOf: engine.setOf,
          names,
          view,
          members: membersOf(view),
          within: request.within,
          meaning,
          fusion,
        };
        return await answer(scope, request);
      });
    },
    health: () => ({
      ...keeper.health(),
      meaning: meaning === null ? null : meaning.index.health(),
      meaningProblem,
    }),
    embeddedOf: (view) => meaning?.index.counts(view.ids()) ?? null,
    isEmbedded: (id) => (meaning === null ? null : meaning.index.lacking(Uint32Array.of(id)) === 0),
    embedded: async (ids) => (await meaning?.index.settled(ids)) ?? false,
    rebuild: () => keeper.rebuild(),
    async close() {
      unsubscribe();
      await meaning?.index.close();
      await keeper.close();
    },
  };
}

interface OpenedMeaning {
  readonly meaning: SearchScope['meaning'];
  readonly meaningProblem: string | null;
}

/** A disk that refuses the records of the vectors must not keep a vault from being searched by words. */
function openMeaning(options: MeaningIndexOptions | null): OpenedMeaning {
  if (options === null) return { meaning: null, meaningProblem: null };
  try {
    const meaning = {
      index: new MeaningIndex(options),
      queries: new QueryVectors(options.embedder, options.patienceMs),
    };
    return { meaning, meaningProblem: null };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { meaning: null, meaningProblem: `The disk refuses the index by meaning: ${said}.` };
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
