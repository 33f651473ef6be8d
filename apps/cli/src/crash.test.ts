import { once } from 'node:events';
import { collect } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove, spawnGrove } from './testing/processes.ts';
import type { StartLine } from './testing/running-server.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch();
});
afterEach(() => scratch.remove());

/** Has the process meet an error of ours when it gets the signal SIGUSR2. */
function failing(statement: string): Record<string, string> {
  const script = `process.on('SIGUSR2', () => { ${statement} })`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
}

const LISTEN = {
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: {
    notifications: { resourcesListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

describe('an error that nobody caught', () => {
  it.each([
    ['thrown', "throw new Error('boom')"],
    ['of a promise', "Promise.reject(new Error('boom'))"],
    ['that is no error', "throw 'boom'"],
  ])('%s ends the server in order, with a sentence and exit code 1', async (_, statement) => {
    const args = ['--vault', scratch.vault, '--data', scratch.data];
    const child = spawnGrove(['start', ...args, '--json'], { env: failing(statement) });
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const closed = once(child, 'close');
    while (!stdout().includes('\n')) await Promise.race([once(child.stdout, 'data'), closed]);
    const { mcp_url: url, key } = JSON.parse(stdout()) as StartLine;
    const stream = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': LISTEN.method,
      },
      body: JSON.stringify(LISTEN),
    });
    child.kill('SIGUSR2');
    // One that is cut rejects.
    expect(await stream.text()).toContain('data: ');
    expect((await closed)[0]).toBe(1);
    expect(stderr()).toContain('Grove met an error that it did not expect, and ends.');
    expect(stderr()).toContain('boom');
    expect((await runGrove(['status', ...args])).code).toBe(0);
  });

  it('ends at once what ends already', async () => {
    const statement = "setInterval(() => { throw new Error('boom') }, 1)";
    const child = spawnGrove(['start', '--vault', scratch.vault, '--data', scratch.data, '--json'], {
      env: failing(statement),
    });
    const stderr = collect(child.stderr);
    const closed = once(child, 'close');
    await Promise.race([once(child.stdout, 'data'), closed]);
    child.kill('SIGUSR2');
    expect((await closed)[0]).toBe(1);
    expect(stderr().split('Grove met an error').length).toBe(3);
  });
});
