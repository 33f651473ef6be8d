import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { type RunningServer, startServer } from './testing/running-server.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

const PAGE = readFileSync(new URL('../../../docs/connecting.md', import.meta.url), 'utf8');
/** What is let in by signing in has a test of its own. */
const BY_KEY = PAGE.replace(/^## By signing in$[\s\S]*?(?=^## )/m, '');
const DOCUMENTED = 'http://127.0.0.1:8420';

let scratch: Scratch;
let server: RunningServer;
let key: string;
const others: (() => Promise<void>)[] = [];
beforeAll(async () => {
  scratch = makeScratch();
  server = await startServer(['--vault', scratch.vault, '--data', scratch.data]);
  key = server.told.key ?? '';
});
afterAll(async () => {
  for (const end of others) await end();
  await server.stop();
  scratch.remove();
});

/** The lines of its blocks for a shell, block by block, with the address of the server of this test. */
function blocks(): readonly (readonly string[])[] {
  return shellBlocks(BY_KEY).map((block) =>
    block
      .replaceAll(DOCUMENTED, server.told.local_url)
      .split('\n')
      .filter((line) => line !== ''),
  );
}

/** Runs lines as a shell would, with `grove` for the program of this checkout. */
function run(lines: readonly string[]): Promise<string> {
  return runDocumented(scratch, lines, { env: { KEY: key } });
}

function jsonIn(text: string): unknown {
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

// Each command is a process of its own, of which a busy machine runs one in many seconds.
describe('docs/connecting.md, with a key', { timeout: 600_000 }, () => {
  it('names commands of grove that work', async () => {
    const [first = []] = blocks();
    expect(first.length).toBeGreaterThan(5);
    for (const line of first) expect(await run([line]), line).not.toBe('');
  });

  it('asks the server as a script may', async () => {
    const asking = blocks().filter((lines) => lines.some((line) => /(?:^|\s)curl /.test(line)));
    expect(asking).toHaveLength(2);
    const [script = [], byHand = []] = asking;
    expect(JSON.parse(await run(script))).toHaveProperty('hits');
    for (const line of byHand) expect(await run([line]), line).toMatch(/^HTTP\/1\.1 200/);
  });

  it('shows what grove connect shows', async () => {
    expect(await run(['grove connect claude-code'])).toContain(
      blocks().find(([line]) => line?.startsWith('claude '))?.[0] ?? 'no such line',
    );
    const documented = [...BY_KEY.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
      JSON.parse(block.replaceAll(DOCUMENTED, server.told.local_url)),
    );
    const [, ...byAddress] = documented;
    expect(byAddress).toEqual([
      jsonIn(await run(['grove connect cursor'])),
      jsonIn(await run(['grove connect vscode'])),
    ]);
    const desktop = JSON.stringify(jsonIn(await run(['grove connect claude-desktop'])));
    expect(desktop).toContain('"args":["stdio","--vault",');
  });

  it('starts a server that other machines reach', async () => {
    const starts = blocks().flatMap((lines) => lines.filter((line) => line.startsWith('grove start ')));
    expect(starts).toHaveLength(2);
    const [inside = '', behind = ''] = starts.map((line) => line.replace(/\s+#.*$/, ''));
    const nas = await startAgain(inside);
    const { port } = nas.told;
    expect(await run([`curl -s -H "Host: nas.local:${port}" ${nas.told.local_url}/healthz`])).toContain('ok');
    const proxied = await startAgain(behind);
    expect(proxied.told.mcp_url).toBe('https://notes.example.org/mcp');
  });
});

/** Another server, with a vault of its own, by the words of a line of the page. */
async function startAgain(line: string): Promise<RunningServer> {
  const other = makeScratch();
  const words = line.split(' ').slice(2);
  const named = words.map((word) => (word === 'DIR' ? other.vault : word));
  const started = await startServer([...named, '--data', other.data]);
  others.push(async () => {
    await started.stop();
    other.remove();
  });
  return started;
}
