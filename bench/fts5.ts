import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { markdownFiles, type TitleQuery } from './corpora.ts';
import { meanReciprocalRank, p50p95 } from './figures.ts';

export interface BaselineFigures {
  readonly indexSeconds: number;
  readonly plain: readonly number[];
  readonly withSnippets: readonly number[];
  readonly titleMrr: number;
}

/**
 * SQLite FTS5 on the same pages in the same run: title weighted 10, headings 3, body 1, porter stemming; the
 * words of a query joined by OR. In memory of the calling process, without transport: a floor, not a rival.
 */
export function measureFts5(
  pages: string,
  queries: readonly string[],
  titles: readonly TitleQuery[],
): BaselineFigures {
  const database = new DatabaseSync(':memory:');
  database.exec(
    "CREATE VIRTUAL TABLE pages USING fts5(path UNINDEXED, title, headings, body, tokenize = 'porter unicode61')",
  );
  const start = performance.now();
  const insert = database.prepare('INSERT INTO pages VALUES (?, ?, ?, ?)');
  database.exec('BEGIN');
  for (const file of markdownFiles(pages)) {
    const text = readFileSync(join(pages, file), 'utf8');
    const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => match[1]!);
    const title = /^title:\s*['"]?(.+?)['"]?\s*$/m.exec(text)?.[1] ?? headings[0] ?? file;
    insert.run(file, title, headings.join('\n'), text);
  }
  database.exec('COMMIT');
  const indexSeconds = (performance.now() - start) / 1000;
  const rank = 'bm25(pages, 0, 10.0, 3.0, 1.0)';
  const bare = database.prepare(`SELECT path FROM pages WHERE pages MATCH ? ORDER BY ${rank} LIMIT 10`);
  const full = database.prepare(
    `SELECT path, snippet(pages, 3, '[', ']', '…', 32) AS snippet FROM pages WHERE pages MATCH ? ORDER BY ${rank} LIMIT 10`,
  );
  const ask = (statement: typeof bare, samples: number[]) => (query: string) => {
    const from = performance.now();
    const rows = statement.all(anyWord(query)) as { path: string }[];
    samples.push(performance.now() - from);
    return rows.map((row) => row.path);
  };
  const plain: number[] = [];
  const withSnippets: number[] = [];
  queries.forEach(ask(bare, plain));
  queries.forEach(ask(full, withSnippets));
  const ranks = titles.map(({ q, path }) => {
    const at = ask(bare, [])(q).indexOf(path);
    return at < 0 ? null : at + 1;
  });
  database.close();
  return { indexSeconds, plain, withSnippets, titleMrr: meanReciprocalRank(ranks) };
}

/** The query's words as FTS5 strings joined by OR. */
export function anyWord(query: string): string {
  return (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');
}

/** One row of a results table. */
export function fts5Row(figures: BaselineFigures): (string | number)[] {
  return [
    'SQLite FTS5 (in process; title ×10, headings ×3)',
    `${figures.indexSeconds.toFixed(1)} s`,
    '-',
    `${p50p95(figures.plain)}; with snippets ${p50p95(figures.withSnippets)}`,
    figures.titleMrr.toFixed(3),
    '-',
    '-',
  ];
}
