import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGroveProcess } from './testing/processes.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';
import { knownVaults } from './vaults/known-vaults.ts';

let scratch: Scratch;
beforeAll(() => {
  scratch = makeScratch();
});
afterAll(() => {
  scratch.remove();
});

/** Addresses of all modules that a run loads. */
async function loaded(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = temporaryFolder('lazy');
  const list = join(folder, 'loaded');
  const hook = join(folder, 'hook.mjs');
  writeFileSync(list, '');
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs';
     import { registerHooks } from 'node:module';
     registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + '\\n'); return next(url, context); } });`,
  );
  const { code } = await runGroveProcess(args, { env: { ...env, NODE_OPTIONS: `--import=${hook}` } });
  expect(code).toBe(0);
  return readFileSync(list, 'utf8');
}

const HTTP = /node_modules\/(?:\.pnpm\/)?fastify|prom-client|server\/src\/app\.ts/;

describe('what a command loads', () => {
  it('is next to nothing for help', async () => {
    expect(await loaded(['--help'])).not.toMatch(/packages\/(?:service|vault|search|native)\//);
  });

  it('is no MCP SDK for a search', async () => {
    const modules = await loaded(['search', 'compost', '--vault', scratch.vault, '--data', scratch.data]);
    expect(modules).toContain('packages/service/');
    expect(modules).not.toContain('@modelcontextprotocol');
    expect(modules).not.toContain('cli-progress');
    expect(modules).not.toMatch(HTTP);
  });

  it('is no HTTP server for keys and connections', async () => {
    const where = ['--vault', scratch.vault, '--data', scratch.data];
    for (const words of [
      ['keys', 'list'],
      ['trails', 'list'],
      ['audit'],
      ['grants', 'list'],
      ['connect', 'cursor'],
    ]) {
      const modules = await loaded([...words, ...where]);
      expect(modules).toContain('packages/access/');
      expect(modules).not.toMatch(HTTP);
      expect(modules).not.toContain('@modelcontextprotocol');
    }
  });

  it('is the local model of a session before most of Grove, unless another process may have the vault', async () => {
    const session = ['stdio', '--vault', scratch.vault, '--data', scratch.data];
    const isEarly = async () => {
      const modules = await loaded(session, { GROVE_EMBEDDER: 'local' });
      const [model, sdk] = ['model-process.ts', '@modelcontextprotocol'].map((name) => modules.indexOf(name));
      expect(sdk).toBeGreaterThan(0);
      return model! > 0 && model! < sdk!;
    };
    expect(await isEarly()).toBe(true);
    const [vault] = await knownVaults(scratch.data);
    const owner = { host: hostname(), pid: 1, socket: null, kind: 'stdio' };
    writeFileSync(join(scratch.data, 'vaults', vault!.slug, 'owner.json'), JSON.stringify(owner));
    expect(await isEarly()).toBe(false);
  });
});
