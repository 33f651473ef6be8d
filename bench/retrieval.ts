import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSearch } from '@grove/search';
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

/** Every document as a note of its own, titled as the set titles it, searched by the product's own engine. */
async function measureGrove(name: string): Promise<{ ndcg: number; recall: number }> {
  const { documents, queries } = readSet(name);
  const scratch = scratchFolder(name);
  const root = join(scratch, 'vault');
  mkdirSync(root);
  for (const { id, title, text } of documents) {
    writeFileSync(join(root, `d${id}.md`), `---\ntitle: ${JSON.stringify(title ?? '')}\n---\n${text}\n`);
  }
  const stateDir = join(scratch, 'state');
  const vault = await openVault({ root, stateDir, slug: name, gitDir: null, times: noGitTimes });
  const search = await openSearch({ vault, dir: join(stateDir, 'index', 'lexical') });
  await vault.ready;
  await search.ready;
  let ndcg = 0;
  let recall = 0;
  for (const { text, relevant } of queries) {
    const { hits } = await search.search(vault.ownerView(), {
      searches: [{ type: 'lex', query: text }],
      intent: null,
      within: null,
      limit: 100,
      offset: 0,
      snippets: 0,
    });
    const ranking = hits.map((hit) => hit.row.path.slice(1, -3));
    ndcg += ndcg10(ranking, relevant);
    const wanted = [...relevant].filter(([, grade]) => grade > 0).map(([id]) => id);
    recall += ranking.filter((id) => wanted.includes(id)).length / wanted.length;
  }
  await search.close();
  await vault.close();
  return { ndcg: ndcg / queries.length, recall: recall / queries.length };
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
  const floors: Record<string, number> = { cranfield: 0.37, cacm: 0.477 };
  const rows: (string | number)[][] = [];
  for (const name of Object.keys(floors)) {
    const grove = await measureGrove(name);
    rows.push([
      name,
      grove.ndcg.toFixed(4),
      `>= ${floors[name]}`,
      grove.recall.toFixed(3),
      measureFts5(name).toFixed(4),
    ]);
  }
  console.log(machineLine());
  console.log(
    table(['set', 'Grove lexical NDCG@10', 'asked for', 'Recall@100', 'SQLite FTS5 (porter) NDCG@10'], rows),
  );
}
