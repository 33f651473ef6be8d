import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { type OpenedVault, openOwnedVault, type Principal, query, type Scope } from '@grove/service';
import { parseTrailRules, type TrailRules, trailViewRules } from '@grove/trails';
import { buildApp } from '../apps/server/src/app.ts';
import { listen } from '../apps/server/src/http/listen.ts';
import { gardenOptions } from '../apps/server/src/testing/garden-options.ts';
import { judgeAnswers } from '../apps/server/src/testing/judge-answers.ts';
import { TrailGuest } from '../apps/server/src/testing/trail-guest.ts';
import {
  filesOf,
  GENERATED_TRAILS,
  generateNotes,
  isShownByOracle,
} from '../packages/service/src/testing/generated-vault.ts';
import { bodyQueries, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { machineLine, p50p95, percentile, table } from './figures.ts';

const NOTES = 10_000;
/** Ways that name notes are asked about one note of so many, by each trail about others. */
const ONE_OF = 1_000;
const GUEST: Principal = { kind: 'trail', id: 'k_bench', name: 'bench', trail: 't_bench' };

/** Over the pages, which have no tags: by words that stand in the names of many. */
const PAGE_RULES = parseTrailRules({ allowPaths: ['**'], denyPaths: ['**/*a*.md', '**/*d3d*'] });

/** Processor time of synchronous work, in milliseconds: other work of the machine does not count. */
function processorMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

async function openVault(root: string, scratch: string): Promise<OpenedVault> {
  const opened = await openOwnedVault({
    root,
    dataDir: join(scratch, 'data'),
    kind: 'server',
    poll: 3_600_000,
  });
  await opened.ready;
  return opened;
}

function scopeOf(opened: OpenedVault, rules: TrailRules): Scope {
  return opened.scope(GUEST, trailViewRules(rules), { scopes: ['read'], trail: true });
}

/** What each trail shows too much and too little, by the oracle. */
function compareWithOracle(
  opened: OpenedVault,
  notes: ReturnType<typeof generateNotes>,
): (string | number)[][] {
  return GENERATED_TRAILS.map((given) => {
    const shown = new Set(
      scopeOf(opened, parseTrailRules(given))
        .view.notes()
        .map(({ path }) => path as string),
    );
    const wanted = new Set(notes.filter((note) => isShownByOracle(given, note)).map(({ path }) => path));
    const leaked = [...shown].filter((path) => !wanted.has(path)).length;
    const missed = [...wanted].filter((path) => !shown.has(path)).length;
    return [JSON.stringify(given), wanted.size, leaked, missed];
  });
}

/** What guests of each trail are answered too much and too little behind a server, by the way of asking. */
async function compareAnswers(
  opened: OpenedVault,
  notes: ReturnType<typeof generateNotes>,
  dataDir: string,
): Promise<(string | number)[][]> {
  const control = openControl({ dataDir, clock: systemClock });
  const app = await buildApp(gardenOptions({ opened }, control));
  const totals = new Map<string, readonly [number, number, number]>();
  try {
    const url = `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0 })}`;
    for (const [turn, given] of GENERATED_TRAILS.entries()) {
      const wish = { name: `trail ${turn}`, vault: opened.slug, rules: parseTrailRules(given), reads: 0 };
      const { token } = control.trails.create(wish);
      const verdicts = await judgeAnswers(
        notes,
        (note) => isShownByOracle(given, note),
        (at) => at % ONE_OF === turn,
        (onAnswer) => new TrailGuest(app, url, token, onAnswer),
      );
      for (const { way, leaked, missed } of verdicts.wrong())
        console.log(`${JSON.stringify(given)}, ${way}: ${leaked.slice(0, 3)} | ${missed.slice(0, 3)}`);
      for (const { way, decided, leaked, missed } of verdicts.byWay()) {
        const [facts, more, less] = totals.get(way) ?? [0, 0, 0];
        totals.set(way, [facts + decided, more + leaked.length, less + missed.length]);
      }
    }
  } finally {
    await app.close();
    control.close();
  }
  return Array.from(totals, ([way, counts]) => [way, ...counts]);
}

/** Processor time for Views of trails that are asked for the first time. */
function measureCompilation(opened: OpenedVault): number[] {
  const samples: number[] = [];
  for (const [at, given] of Array.from({ length: 10 }, () => GENERATED_TRAILS)
    .flat()
    .entries()) {
    // Another rule each time, which no note meets, so that no View is there already.
    const rules = trailViewRules(
      parseTrailRules({ ...given, denyTags: [...(given.denyTags ?? []), `none-${at}`] }),
    );
    samples.push(processorMs(() => void opened.vault.view(rules)));
  }
  return samples;
}

/** Processor time for the links to a note that a View is asked for first: its whole graph is made. */
function measureFirstLinks(opened: OpenedVault): number[] {
  return GENERATED_TRAILS.flatMap((given, at) => {
    const denyTags = [...(given.denyTags ?? []), `unlinked-${at}`];
    const view = opened.vault.view(trailViewRules(parseTrailRules({ ...given, denyTags })));
    const [row] = view.notes();
    if (row === undefined) return [];
    return [processorMs(() => void view.backlinks(row))];
  });
}

/** Milliseconds for one note to be judged again, of all notes by each trail. */
function measureJudging(opened: OpenedVault): number[] {
  const rows = opened.vault.ownerView().notes();
  return GENERATED_TRAILS.flatMap((given) => {
    const { notes } = trailViewRules(parseTrailRules(given));
    return rows.map((row) => {
      const from = performance.now();
      notes?.admits(row);
      return performance.now() - from;
    });
  });
}

async function measureQueries(scope: Scope, queries: readonly string[]): Promise<number[]> {
  const samples: number[] = [];
  for (const words of queries) {
    const from = performance.now();
    await query.run(scope, query.parse({ searches: [{ type: 'lex', query: words }] }));
    samples.push(performance.now() - from);
  }
  return samples;
}

// A vault alone keeps no process going while it writes its catalog.
const alive = setInterval(() => {}, 1_000);
const scratch = scratchFolder('trails');
try {
  console.log(machineLine());
  const notes = generateNotes(NOTES);
  const root = join(scratch, 'Generated');
  for (const [path, text] of Object.entries(filesOf(notes))) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const generated = await openVault(root, join(scratch, 'generated'));
  const compared = compareWithOracle(generated, notes);
  console.log(`\n${table(['trail', 'notes of the oracle', 'shown too much', 'not shown'], compared)}\n`);
  const answered = await compareAnswers(generated, notes, join(scratch, 'generated', 'data'));
  console.log(`\n${table(['way', 'facts compared', 'too much', 'too little'], answered)}\n`);
  const compilation = measureCompilation(generated);
  const judging = measureJudging(generated);
  const links = measureFirstLinks(generated);
  const first = scopeOf(generated, parseTrailRules({ allowTags: ['ai'] }));
  const tagged = await measureQueries(
    first,
    Array.from({ length: 300 }, (_, at) => `Heading ${at} moss lantern`),
  );
  await generated.close();

  const pages = unpackPages(scratch);
  const opened = await openVault(pages, join(scratch, 'pages-state'));
  const queries = [...titleQueries().map(({ q }) => q), ...bodyQueries(pages, 200)];
  const owner = opened.scope({ ...GUEST, kind: 'owner' }, undefined, { scopes: ['read'] });
  const guest = scopeOf(opened, PAGE_RULES);
  const rows: (string | number)[][] = [];
  for (const [name, scope] of [
    ['the owner', owner],
    [`a trail that shows ${guest.view.size.toLocaleString('en')} of them`, guest],
  ] as const) {
    const cold = await measureQueries(scope, queries);
    rows.push([
      `query by words, 10,000 pages, ${name}`,
      p50p95(cold),
      p50p95(await measureQueries(scope, queries)),
    ]);
  }
  await opened.close();
  console.log(
    table(
      ['p50 / p95, ms', 'first', 'again'],
      [
        [`compile a View over ${NOTES.toLocaleString('en')} notes, processor time`, p50p95(compilation), ''],
        [
          'judge one note by tags and types',
          `${percentile(judging, 0.5).toFixed(4)} / ${percentile(judging, 0.95).toFixed(4)}`,
          '',
        ],
        ['the first backlinks of a View, processor time', p50p95(links), ''],
        ['query by words, generated, a trail by a tag', p50p95(tagged), ''],
        ...rows,
      ],
    ),
  );
  const isWrong = [...compared, ...answered].some(([, , leaked, missed]) => leaked !== 0 || missed !== 0);
  if (isWrong) process.exitCode = 1;
} finally {
  clearInterval(alive);
  rmSync(scratch, { recursive: true, force: true });
}
