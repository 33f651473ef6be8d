/**
 * What a server costs that nobody asks: processor time of `grove start` on 10,000 pages while clients are connected with
 * an open stream each and none of them sends anything, without and with a reader of `/metrics` every 15 seconds.
 *
 * node bench/idle.ts [--seconds 60] [--clients 10]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { scratchFolder, unpackPages } from './corpora.ts';
import { machineLine, table } from './figures.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '10' },
  },
});
const seconds = Number(values.seconds);
const SCRAPE_MS = 15_000;
/** What a server does after its start, and tidies after its first answers, is no idling. */
const SETTLE_MS = 75_000;
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Seconds of processor time, and how often the process was woken, since its start. */
function used(pid: number): { readonly cpu: number; readonly wakes: number } {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[A-Z] )/);
  const fields = rest.split(' ');
  const tasks = join('/proc', String(pid), 'task');
  const wakes = readdirSync(tasks).reduce((sum, task) => {
    const status = readFileSync(join(tasks, task, 'status'), 'utf8');
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
  }, 0);
  // proc_pid_stat(5): utime and stime are fields 14 and 15; two of them were cut off.
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, wakes };
}

async function connected(server: HttpServer): Promise<Client> {
  const client = new Client({ name: 'idle', version: '1' }, { capabilities: { elicitation: {} } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${server.key}` } },
    }),
  );
  await client.callTool({ name: 'query', arguments: { query: 'window' } });
  return client;
}

async function idle(what: string, server: HttpServer, meanwhile: () => Promise<void>): Promise<string[]> {
  const before = used(server.pid);
  const from = performance.now();
  while (performance.now() - from < seconds * 1000) await meanwhile();
  const took = (performance.now() - from) / 1000;
  const after = used(server.pid);
  const share = ((after.cpu - before.cpu) / took) * 100;
  return [what, `${share.toFixed(2)} %`, ((after.wakes - before.wakes) / took).toFixed(0)];
}

const scratch = scratchFolder('idle');
const data = join(scratch, 'data');
mkdirSync(data);
const server = await startHttpServer(unpackPages(scratch), data);
const clients: Client[] = [];
try {
  for (let made = 0; made < Number(values.clients); made += 1) clients.push(await connected(server));
  await sleep(SETTLE_MS);
  const quiet = await idle(`${values.clients} clients connected`, server, () => sleep(1000));
  const authorization = `Bearer ${server.adminKey}`;
  const scraped = await idle('the same, read by Prometheus', server, async () => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization } });
    await answer.text();
    if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
    await sleep(SCRAPE_MS);
  });
  console.log(`${machineLine()}; ${seconds} s each\n`);
  console.log(table(['server', 'processor', 'wakes a second'], [quiet, scraped]));
} finally {
  await Promise.allSettled(clients.map((client) => client.close()));
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
}
