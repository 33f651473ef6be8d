// `where` over all of 10,000 pages by list_notes, in this process: the first time, and when what it asks for is known.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { listNotes, openOwnedVault, type Principal, type Scope } from '@grove/service';
import { scratchFolder, unpackPages } from './corpora.ts';
import { machineLine, p50p95, table } from './figures.ts';

const RUNS = 20;
/** For runs of one filter: those that read all texts take long. */
const MOST_MS = 20_000;
const OWNER: Principal = { kind: 'stdio', id: 'bench', name: 'bench' };

const CALLS: readonly (readonly [string, object])[] = [
  ['no filter', {}],
  ['`{"ms.topic": "reference"}`', { where: { 'ms.topic': 'reference' } }],
  ['`==` of a frontmatter key', { where: { '==': [{ var: 'frontmatter.ms.topic' }, 'reference'] } }],
  [
    'six conditions by `and`',
    {
      where: {
        and: [
          { '!=': [{ var: 'type' }, 'bird'] },
          { '!': [{ in: ['a', { var: 'tags' }] }] },
          { glob: ['desktop-src/**', { var: 'path' }] },
          { '>': [{ var: 'words' }, 100] },
          { '!!': [{ var: 'title' }] },
          { regexp: ['(?i)window', { var: 'frontmatter.description' }] },
        ],
      },
    },
  ],
  ['more than five backlinks', { where: { '>': [{ var: 'backlinks.length' }, 5] } }],
  ['a link into a folder', { where: { glob: ['desktop-src/direct2d/**', { var: 'links' }] } }],
  ['`some` over links', { where: { some: [{ var: 'links' }, { in: ['direct', { var: '' }] }] } }],
  ['a link that nothing answers', { where: { unresolved: { exists: true } } }],
  ['the stage', { where: { '==': [{ var: 'stage' }, 'seed'] } }],
  ['created before a day', { where: { '<': [{ var: 'created' }, '2026-01-01'] } }],
  ['a part of the title', { where: { title: { contains: 'window' } } }],
  ['a regular expression over the path', { where: { regexp: ['/direct\\d?d', { var: 'path' }] } }],
  [
    'links counted by `reduce`',
    {
      where: {
        '>': [{ reduce: [{ var: 'links' }, { '+': [{ var: 'accumulator' }, 1] }, 0] }, 10],
      },
    },
  ],
  ['words of few texts', { where: { in: ['swap chain', { var: 'content' }] } }],
  ['a word of most texts', { where: { in: ['the', { var: 'content' }] } }],
  ['words of a text, in any case', { where: { content: { contains: 'Swap Chain' } } }],
  ['a regular expression over the text', { where: { regexp: ['(?i)swap\\s+chain', { var: 'content' }] } }],
  ['the length of the text', { where: { '>': [{ var: 'content.length' }, 3_000] } }],
  ['the title in the text', { where: { in: [{ var: 'title' }, { var: 'content' }] } }],
  ['the first link in the text', { where: { in: [{ var: 'links.0' }, { var: 'content' }] } }],
  ['tasks', { of: 'tasks' }],
];

const scratch = scratchFolder('where');
process.env.GROVE_EMBEDDER = 'off';
const opened = await openOwnedVault({
  root: unpackPages(scratch),
  dataDir: join(scratch, 'data'),
  kind: 'server',
});
try {
  await opened.ready;
  const scope = opened.scope(OWNER, undefined, { scopes: ['read'] });
  const rows: (string | number)[][] = [];
  for (const [name, input] of CALLS) rows.push([name, ...(await measure(scope, input))]);
  console.log(machineLine());
  console.log(
    table(
      ['filter', 'notes', 'first ms', 'first, processor', 'again p50 / p95', 'again, processor p50 / p95'],
      rows,
    ),
  );
} finally {
  await opened.close();
  rmSync(scratch, { recursive: true, force: true });
}

async function measure(scope: Scope, input: object): Promise<(string | number)[]> {
  const call = async () => {
    const cpu = process.cpuUsage();
    const start = performance.now();
    const { total } = await listNotes.run(scope, listNotes.parse({ ...input, limit: 1 }));
    const ms = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return { total, ms, processor: (user + system) / 1_000 };
  };
  const first = await call();
  const again = [];
  const end = performance.now() + MOST_MS;
  for (let run = 0; run < RUNS && performance.now() < end; run += 1) again.push(await call());
  return [
    first.total,
    first.ms.toFixed(0),
    first.processor.toFixed(0),
    p50p95(again.map(({ ms }) => ms)),
    p50p95(again.map(({ processor }) => processor)),
  ];
}
