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
    'three keys, tags, type and path by `and`',
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
  ['a word of the text', { where: { in: ['swap chain', { var: 'content' }] } }],
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
  console.log(table(['filter', 'notes', 'first ms', 'again p50 / p95 ms', 'again processor ms'], rows));
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
    first.ms.toFixed(1),
    p50p95(again.map(({ ms }) => ms)),
    p50p95(again.map(({ processor }) => processor)),
  ];
}
