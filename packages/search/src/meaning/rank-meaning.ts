import type { SearchList } from '../contract.ts';
import type { Depths } from '../fusion/fuse-rankings.ts';
import { plainWords } from '../language/plain-words.ts';
import { rankLike } from '../likeness/rank-like.ts';
import { askedByOperators } from '../ranking/asked-by-operators.ts';
import { rankLex } from '../ranking/rank-lex.ts';
import { emptyRanking, type RankedNote, type Ranking, type SearchScope } from '../ranking/ranking.ts';

/** A search by meaning, with the vectors there are; by words where there are none. */
export async function rankMeaning(
  scope: SearchScope,
  { type, query, operators }: SearchList,
  intent: string | null,
  depths: Depths,
): Promise<Ranking> {
  const { meaning } = scope;
  const byWords = () =>
    type === 'like'
      ? rankLike(scope, query, depths.words)
      : rankLex(scope, plainWords(query), intent, depths.words);
  if (meaning === null) return await byWords();
  const asked = operators === true ? await askedByOperators(scope, query) : null;
  // Nothing but filters: what passes them is what lex finds.
  if (asked?.words === '') return emptyRanking;
  const note = type === 'like' ? scope.view.resolve(query) : null;
  const own = note?.kind === 'found' ? note.row : null;
  const loading = meaning.index.loadedWithin(meaning.queries.patienceMs);
  const [isLoaded, vector] = await Promise.all([
    loading,
    own === null
      ? meaning.queries.of(asked?.words ?? query, type !== 'vec')
      : loading.then(async () => (await meaning.index.middles([own.id])).get(own.id) ?? null),
  ]);
  if (vector === null || !isLoaded) {
    const reason = !isLoaded
      ? 'the vectors cannot be read yet'
      : own === null
        ? 'the embedding model does not answer'
        : 'that note is not embedded yet';
    // What the call did not ask for by name: its words are searched for anyway.
    const ranking = operators === true ? emptyRanking : await byWords();
    return withRemark(ranking, `${type} was answered by words: ${reason}.`);
  }
  const within = asked === null ? scope.within : asked.within;
  const ranking = await rankByVector({ ...scope, within }, vector, depths.meaning, own?.id ?? null);
  // Who gives an example means no other.
  return withRemark({ ...ranking, takesFeedback: type !== 'like' }, gapIn(scope));
}

async function rankByVector(
  scope: SearchScope,
  vector: Float32Array,
  depth: number,
  except: number | null,
): Promise<Ranking> {
  const { view, members, within, setOf } = scope;
  const among = except === null ? within : (within ?? view.ids()).filter((id) => id !== except);
  const hits = await scope.meaning!.index.search(vector, {
    view: members,
    filter: among === null ? null : setOf(among),
    limit: depth,
  });
  const notes = hits.flatMap(({ note, score }): RankedNote[] => {
    const row = view.byId(note);
    return row === null ? [] : [{ row, score, exact: false }];
  });
  notes.sort((a, b) => b.score - a.score || (a.row.path < b.row.path ? -1 : 1));
  return {
    notes: notes.slice(0, depth),
    total: notes.length,
    marking: { kind: 'all', boost: 0 },
    lines: null,
    remarks: [],
    vector,
  };
}

/** What part of the View has no vectors yet, as a sentence. */
function gapIn({ meaning, view }: SearchScope): string | null {
  const lacking = meaning!.index.lacking(view.ids());
  if (lacking === 0) return null;
  const done = (view.size - lacking).toLocaleString('en');
  return `By meaning ${done} of ${view.size.toLocaleString('en')} notes can be found so far; the others by words.`;
}

function withRemark(ranking: Ranking, remark: string | null): Ranking {
  return remark === null ? ranking : { ...ranking, remarks: [...ranking.remarks, remark] };
}
