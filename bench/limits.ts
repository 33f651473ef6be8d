// How long a request takes until its operation begins: every hook of the server, its token checked, the caller found and the
// limits counted, beside a thousand keys and a hundred trails.
// Run: node bench/limits.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { openOwnedVault } from '@grove/service';
import { parseTrailRules } from '@grove/trails';
import { buildApp } from '../apps/server/src/app.ts';
import { gardenOptions } from '../apps/server/src/testing/garden-options.ts';
import { machineLine, percentile, table } from './figures.ts';

const KEYS = 1_000;
const TRAILS = 100;
const ROUNDS = 5_000;
const ASKED_MS = 0.5;

const folder = mkdtempSync(join(tmpdir(), 'grove-limits-'));
const dataDir = join(folder, 'data');
const root = mkdtempSync(join(folder, 'notes-'));
writeFileSync(join(root, 'Compost.md'), '# Compost\n');
const opened = await openOwnedVault({ root, dataDir, kind: 'server' });
const control = openControl({ dataDir, clock: systemClock });
// As many as there are calls, so that all are counted and none is refused.
const most = 10_000_000;
const app = await buildApp({
  ...gardenOptions({ opened }, control),
  callLimits: { reads: most, writes: most, operations: most },
});
let begin = 0;
let took = 0;
app.get('/v1/nothing', { config: { access: 'read' } }, async (request) => {
  await request.admit('read', 3);
  took = performance.now() - begin;
  return '';
});
try {
  const rules = parseTrailRules({ allowTags: ['books'] });
  const keys = Array.from(
    { length: KEYS },
    (_, at) => control.keys.create({ name: `key ${at}`, vault: opened.slug }).token,
  );
  const trails = Array.from(
    { length: TRAILS },
    (_, at) =>
      control.trails.create({ name: `trail ${at}`, vault: opened.slug, rules, reads: 1_000_000 }).token,
  );
  const samples = async (tokens: readonly string[]): Promise<number[]> => {
    const all: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const headers = { authorization: `Bearer ${tokens[round % tokens.length]}` };
      begin = performance.now();
      const { statusCode } = await app.inject({ url: '/v1/nothing', headers });
      if (statusCode !== 200) throw new Error(`refused: ${statusCode}`);
      all.push(took);
    }
    return all;
  };
  const kinds: readonly (readonly [string, readonly number[]])[] = [
    ['a key, one of a thousand by turns', await samples(keys)],
    ['the same key', await samples(keys.slice(0, 1))],
    ['the token of a trail, one of a hundred by turns', await samples(trails)],
  ];
  console.log(machineLine());
  console.log(
    table(
      ['what', 'p50, ms', 'p99, ms', 'asked, ms'],
      kinds.map(([what, each]) => [
        what,
        percentile(each, 0.5).toFixed(4),
        percentile(each, 0.99).toFixed(4),
        `<= ${ASKED_MS}`,
      ]),
    ),
  );
} finally {
  await app.close();
  control.close();
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
}
