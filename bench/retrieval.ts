import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openLocalEmbedder, vectorStores } from '@grove/embeddings';
import { openSearch, type SearchType } from '@grove/search';
import { noGitTimes, openVault } from '@grove/vault';
import { requireData, scratchFolder } from './corpora.ts';
import { machineLine, table } from './figures.ts';
import { anyWord } from './fts5.ts';

interface Judged {
  readonly id: string;
  readonly text: string;
  readonly relevant: ReadonlyMap<string, number>;
}

/** NDCG@10 with gain 2^grade - 1 and discount log2(rank + 1). */
export function ndcg10(ranking: readonly string[], relevant: ReadonlyMap<string, number>): number {
  const gain = (grade: number, index: number) => (2 ** grade - 1) / Math.log2(index + 2);
  const got = ranking.slice(0, 10).reduce((sum, id, index) => sum + gain(relevant.get(id) ?? 0, index), 0);
  const ideal = [...relevant.values()].sort((a, b) => b - a).slice(0, 10);
  const best = ideal.reduce((sum, grade, index) => sum + gain(grade, index), 0);
  return best === 0 ? 0 : got / best;
}

function readSet(name: string): {
  documents: { id: string; title: string; text: string }[];
  queries: Judged[];
} {
  const lines = (file: string) =>
    readFileSync(requireData(`ir/${name}/${file}`), 'utf8')
      .trim()
      .split('\n');
  const judgements = new Map<string, Map<string, number>>();
  for (const line of lines('qrels.tsv').slice(1)) {
    const [query, document, grade] = line.split('\t') as [string, string, string];
    if (!judgements.has(query)) judgements.set(query, new Map());
    judgements.get(query)!.set(document, Number(grade));
  }
  return {
    documents: lines('corpus.jsonl').map((line) => JSON.parse(line)),
    queries: lines('queries.jsonl')
      .map((line) => JSON.parse(line) as { id: string; text: string })
      .flatMap(({ id, text }) => {
        const relevant = judgements.get(id);
        return relevant === undefined ? [] : [{ id, text, relevant }];
      }),
  };
}

/** How one way of searching did on the queries with odd and with even places. */
interface Measured {
  readonly odd: number;
  readonly even: number;
  readonly all: number;
  readonly recall: number;
}

const WAYS = {
  lex: { types: ['lex'], fusion: 'z' },
  vec: { types: ['vec'], fusion: 'z' },
  rrf: { types: ['lex', 'vec'], fusion: 'rrf' },
  z: { types: ['lex', 'vec'], fusion: 'z' },
} as const satisfies Record<string, { types: readonly SearchType[]; fusion: 'z' | 'rrf' }>;
type Way = keyof typeof WAYS;

/**
 * Every document as a note of its own, titled as the set titles it, searched by the product's own engine. With `keep`
 * notes and vectors stay in that folder, and a second run embeds nothing.
 */
async function measureGrove(name: string, keep: string | undefined): Promise<Record<Way, Measured>> {
  const { documents, queries } = readSet(name);
  const home = keep === undefined ? scratchFolder(name) : join(keep, name);
  const root = join(home, 'vault');
  mkdirSync(root, { recursive: true });
  for (const { id, title, text } of documents) {
    const path = join(root, `d${id}.md`);
    if (!existsSync(path)) writeFileSync(path, `---\ntitle: ${JSON.stringify(title ?? '')}\n---\n${text}\n`);
  }
  const stateDir = join(home, 'state');
  const results = {} as Record<Way, Measured>;
  for (const [way, { types, fusion }] of Object.entries(WAYS) as [Way, (typeof WAYS)[Way]][]) {
    const vault = await openVault({ root, stateDir, slug: name, gitDir: null, times: noGitTimes });
    const embedder = await openLocalEmbedder();
    const search = await openSearch({
      vault,
      dir: join(stateDir, 'index', 'lexical'),
      meaning: {
        dir: join(stateDir, 'index', 'vectors'),
        embedder,
        openStore: vectorStores(stateDir).open,
        // The first query waits for the model rather than be measured by words.
        patienceMs: 60_000,
      },
      fusion,
    });
    await vault.ready;
    await search.ready;
    const ids = [...vault.ownerView().ids()];
    const said = setInterval(() => {
      const { done, total, embedded } = search.health().meaning!;
      if (done < total) console.error(`${name}: ${done} of ${total} notes, ${embedded} texts embedded`);
    }, 20_000);
    if (!(await search.embedded(ids))) throw new Error(search.health().meaning?.problem ?? 'not embedded');
    clearInterval(said);
    const each: { ndcg: number; recall: number }[] = [];
    for (const { text, relevant } of queries) {
      const { hits } = await search.search(vault.ownerView(), {
        searches: types.map((type) => ({ type, query: text })),
        intent: null,
        within: null,
        limit: 100,
        offset: 0,
        snippets: 0,
      });
      const ranking = hits.map((hit) => hit.row.path.slice(1, -3));
      const wanted = [...relevant].filter(([, grade]) => grade > 0).map(([id]) => id);
      each.push({
        ndcg: ndcg10(ranking, relevant),
        recall: ranking.filter((id) => wanted.includes(id)).length / wanted.length,
      });
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    results[way] = {
      odd: mean(each.filter((_, at) => at % 2 === 0).map(({ ndcg }) => ndcg)),
      even: mean(each.filter((_, at) => at % 2 === 1).map(({ ndcg }) => ndcg)),
      all: mean(each.map(({ ndcg }) => ndcg)),
      recall: mean(each.map(({ recall }) => recall)),
    };
    await search.close();
    await embedder.close();
    await vault.close();
  }
  return results;
}

function measureFts5(name: string): number {
  const { documents, queries } = readSet(name);
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE docs USING fts5(id UNINDEXED, title, body, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare('INSERT INTO docs VALUES (?, ?, ?)');
  for (const { id, title, text } of documents) insert.run(id, title ?? '', text);
  const find = database.prepare('SELECT id FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT 10');
  const total = queries.reduce((sum, { text, relevant }) => {
    const rows = find.all(anyWord(text)) as { id: string }[];
    return (
      sum +
      ndcg10(
        rows.map((row) => row.id),
        relevant,
      )
    );
  }, 0);
  database.close();
  return total / queries.length;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { keep: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help === true) {
    console.log(
      'node bench/retrieval.ts [--keep DIR]   NDCG@10 on the labelled sets; --keep: embed once, in DIR',
    );
    process.exit(0);
  }
  const floors: Record<string, Record<Way, string>> = {
    cranfield: { lex: '.370', vec: '-', rrf: '.406', z: '.416' },
    cacm: { lex: '.477', vec: '-', rrf: '.535', z: '.556' },
  };
  const rows: (string | number)[][] = [];
  for (const [name, asked] of Object.entries(floors)) {
    const measured = await measureGrove(name, values.keep);
    for (const [way, { odd, even, all, recall }] of Object.entries(measured) as [Way, Measured][])
      rows.push([
        name,
        way,
        all.toFixed(4),
        asked[way],
        `${((all / measured.lex.all - 1) * 100).toFixed(1)} %`,
        odd.toFixed(4),
        even.toFixed(4),
        recall.toFixed(3),
      ]);
    rows.push([name, 'SQLite FTS5 (porter)', measureFts5(name).toFixed(4), '-', '-', '-', '-', '-']);
  }
  console.log(machineLine());
  const columns = ['NDCG@10', 'asked for', 'above lex', 'odd queries', 'even queries', 'Recall@100'];
  console.log(table(['set', 'searched by', ...columns], rows));
}
