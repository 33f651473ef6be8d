import { rmSync } from 'node:fs';
import { bodyQueries, scratchFolder, titleQueries, unpackPages } from '/work/main/bench/corpora.ts';
import { load } from '/work/main/bench/http-load.ts';
import { mcpQuery, restQuery } from '/work/main/bench/http-requests.ts';
import { startHttpServer } from '/work/main/bench/http-server.ts';
import { memoryOf } from '/work/main/bench/stdio-session.ts';
import { readFileSync } from 'node:fs';
const scratch = scratchFolder('rss');
const pages = unpackPages(scratch);
const server = await startHttpServer(pages, scratchFolder('rss-data'));
const texts = [...titleQueries().map(({ q }) => q), ...bodyQueries(pages, 200)];
const say = async (what: string) => {
  const m = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.adminKey}` } })).text();
  const g = (n: string) => Math.round(Number(new RegExp(`^${n} (.*)$`, 'm').exec(m)?.[1]) / 1e6);
  const smaps = readFileSync(`/proc/${server.pid}/smaps_rollup`, 'utf8').match(/Anonymous:\s+(\d+)/)?.[1];
  console.log(what.padEnd(20), memoryOf(server.pid), 'heapTotal', g('nodejs_heap_size_total_bytes'), 'used', g('nodejs_heap_size_used_bytes'), 'ext', g('nodejs_external_memory_bytes'), 'anon', Math.round(Number(smaps)/1000));
};
await say('start');
await new Promise(r => setTimeout(r, 3000)); await say('3s');
const rest = texts.map((t) => restQuery(server.key, t)), mcp = texts.map((t) => mcpQuery('2025-11-25', server.key, t)), modern = texts.map((t) => mcpQuery('2026-07-28', server.key, t));
for (const [n, r, c, a] of [['rest 1', rest, 1, 250], ['rest 1', rest, 1, 1000], ['rest 50', rest, 50, 2500], ['rest 50', rest, 50, 2500],['modern 1', modern, 1, 500], ['mcp 1', mcp, 1, 500], ['mcp 50', mcp, 50, 2500], ['mcp 50', mcp, 50, 2500]] as const) { await load(server.url, r, c, a); await say(n); }
await new Promise(r => setTimeout(r, 5000)); await say('5s');
await server.close(); rmSync(scratch, {recursive: true});
