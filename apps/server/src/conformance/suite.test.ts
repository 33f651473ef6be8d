import { afterEach, expect, it } from 'vitest';
import type { McpServerFactory } from '../mcp/factory.ts';
import { serveGarden } from '../testing/serve-garden.ts';
import { bearerProxy } from './bearer-proxy.ts';
import { createFixtureServer } from './fixture-server.ts';
import { describeWithClients } from './installed-clients.ts';
import { runSuite, type ScenarioResult } from './run-suite.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** What a vault can show of the protocol: no tool of Grove asks, logs, fails at will or answers with an image. */
const VAULT_PASSES = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
} as const;

describeWithClients('the conformance suite of MCP', () => {
  it.each([
    ['2025-11-25', 30],
    ['2026-07-28', 37],
  ])('%s: the HTTP server carries all that the revision requires, %i scenarios', async (revision, count) => {
    const results = await suiteAgainst(revision, (_, { era }) => createFixtureServer(era));
    const scored = results.filter((result) => result.scored);
    expect(scored.flatMap(({ failures }) => failures)).toEqual([]);
    expect(scored.filter(({ held }) => held > 0)).toHaveLength(count);
    // Not required by the revision: of these, only the extension for tasks is not there.
    const others = results.filter((result) => !result.scored && !result.scenario.startsWith('tasks-'));
    expect(others.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it.each(Object.entries(VAULT_PASSES))(
    '%s: a vault passes what needs no fixture',
    async (revision, list) => {
      const results = await suiteAgainst(revision);
      const wanted: readonly string[] = list;
      const failures = results.flatMap((result) => (wanted.includes(result.scenario) ? result.failures : []));
      expect(failures).toEqual([]);
      const held = new Set(results.filter((result) => result.held > 0).map(({ scenario }) => scenario));
      expect(wanted.filter((scenario) => !held.has(scenario))).toEqual([]);
      // What is left of this scenario are checks that call a tool of the fixture.
      const stateless = results.find(({ scenario }) => scenario === 'server-stateless');
      expect(stateless?.failures.filter((failure) => !failure.includes('Not testable')) ?? []).toEqual([]);
    },
  );
});

/** Serves a vault behind the product's HTTP server, with the product's MCP servers unless others are handed in. */
async function suiteAgainst(
  revision: string,
  createMcp?: McpServerFactory,
): Promise<readonly ScenarioResult[]> {
  const garden = await serveGarden({}, createMcp === undefined ? {} : { createMcp });
  opened.push(garden);
  const proxy = await bearerProxy(await garden.listen(), garden.key());
  opened.push(proxy);
  return await runSuite(`${proxy.url}/mcp`, revision);
}
