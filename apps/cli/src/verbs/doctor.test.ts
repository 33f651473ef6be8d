import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
beforeAll(() => {
  scratch = makeScratch();
});
afterAll(() => scratch.remove());

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
  readonly mend: string | null;
}

describe('grove doctor', () => {
  it('finds a sound vault sound, through both revisions of MCP', async () => {
    const { code, stdout } = await runGrove([
      'doctor',
      '--vault',
      scratch.vault,
      '--data',
      scratch.data,
      '--json',
    ]);
    const { problems, findings } = JSON.parse(stdout) as { problems: number; findings: Finding[] };
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect({ code, problems }).toEqual({ code: 0, problems: 0 });
    const mcp = findings.filter(({ check }) => check.startsWith('MCP'));
    expect(mcp.map(({ check }) => check)).toEqual(['MCP 2025-11-25', 'MCP 2026-07-28']);
    for (const { message } of mcp) expect(message).toContain('5 tools');
  });

  it('connects to the server that runs, as an MCP client of both revisions and by REST', async () => {
    const where = ['--vault', scratch.vault, '--data', scratch.data];
    const server = await startServer(where);
    const { code, stdout } = await runGrove(['doctor', ...where, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([]);
    expect(code).toBe(0);
    const found = new Map(findings.map(({ check, message }) => [check, message]));
    expect(found.get('Server')).toContain(server.told.local_url);
    expect(found.get('REST')).toContain('304');
    for (const revision of ['2025-11-25', '2026-07-28'])
      expect(found.get(`HTTP ${revision}`)).toContain('5 tools');
    const { stdout: keys } = await runGrove(['keys', 'list', ...where, '--json']);
    expect(JSON.parse(keys).keys.map(({ name }: { name: string }) => name)).toEqual(['first']);
    await server.stop();
  });

  it('tells of a proxy that the server was not told of, once a request came through one', async () => {
    const where = ['--vault', scratch.vault, '--data', scratch.data];
    const server = await startServer(where);
    await fetch(`${server.told.local_url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    const { code, stdout } = await runGrove(['doctor', ...where]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^NO Proxy .*the proxy at 127\.0\.0\.1 share one address/m);
    expect(stdout).toContain('set GROVE_TRUST_PROXY=127.0.0.1 for the server');
    await server.stop();
  });

  it('says when no server runs and another program has its port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as AddressInfo).port);
    const { code, stdout } = await runGrove(['doctor', '--vault', scratch.vault, '--data', scratch.data], {
      env: { GROVE_PORT: port },
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^NO Server .*none could: Port \d+ on 127\.0\.0\.1 is taken/m);
    expect(stdout).toContain('choose another port with --port or GROVE_PORT');
    other.close();
  });

  it('tells of a damaged index that was built anew, and of notes that do not parse', async () => {
    const where = ['--vault', scratch.vault, '--data', scratch.data];
    scratch.write('Broken.md', '---\ntitle: [unclosed\n---\nText.\n');
    const lexical = join(scratch.data, 'vaults', 'my-garden', 'index', 'lexical');
    for (const name of readdirSync(lexical)) writeFileSync(join(lexical, name), 'damaged');
    const { stdout } = await runGrove(['doctor', ...where, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    const index = findings.find(({ check }) => check === 'Index');
    expect(index?.state).toBe('note');
    expect(index?.message).toContain('1 notes with frontmatter that does not parse');
    const searched = await runGrove(['search', 'xylophone', ...where, '--json']);
    expect(JSON.parse(searched.stdout).hits).toHaveLength(1);
  });

  it('looks at every known vault when none is named', async () => {
    const other = makeScratch();
    await runGrove(['status', '--vault', scratch.vault, '--data', other.data]);
    scratch.write('../Second garden/Bed.md', '# Bed\n');
    await runGrove(['status', '--vault', join(scratch.folder, 'Second garden'), '--data', other.data]);
    const { code, stdout } = await runGrove(['doctor', '--data', other.data, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: (Finding & { vault?: string })[] };
    expect({ code, wrong: findings.filter(({ state }) => state === 'problem') }).toEqual({
      code: 0,
      wrong: [],
    });
    for (const vault of ['my-garden', 'second-garden'])
      expect(findings.filter((finding) => finding.vault === vault).map(({ check }) => check)).toContain(
        'Index',
      );
    other.remove();
  });

  it('says of a data folder that knows no vault only what there is to say', async () => {
    const { code, stdout } = await runGrove(['doctor', '--data', join(scratch.folder, 'new data')]);
    expect(code).toBe(0);
    expect(stdout.match(/vault/gi)).toHaveLength(2);
    expect(stdout).toMatch(/^-- Vault +none is known yet; ".*grove'? start --vault DIR" opens one$/m);
  });

  it('names what is wrong and how to mend it, and exits 1', async () => {
    const file = join(scratch.folder, 'a file');
    writeFileSync(file, '');
    const { code, stdout } = await runGrove([
      'doctor',
      '--vault',
      '/dev/null/vault',
      '--data',
      join(file, 'data'),
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^NO Vault/m);
    expect(stdout).toMatch(/^NO Data folder .*cannot be written/m);
    expect(stdout).toContain('--data DIR');
    expect(stdout).toMatch(/\d to mend\.\n$/);
  });
});
