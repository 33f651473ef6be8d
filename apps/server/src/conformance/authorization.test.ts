import { afterEach, expect, it } from 'vitest';
import { Browser } from '../oauth/testing/browser.ts';
import { freePort, oauthGarden, PASSPHRASE } from '../oauth/testing/oauth-garden.ts';
import { TestClient } from '../oauth/testing/test-client.ts';
import { bearerProxy } from './bearer-proxy.ts';
import { createFixtureServer } from './fixture-server.ts';
import { describeWithClients } from './installed-clients.ts';
import { runAuthorizationSuite } from './run-authorization-suite.ts';
import { runSuite } from './run-suite.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

describeWithClients('the conformance suite of MCP, with OAuth', () => {
  it('passes as an authorization server', async () => {
    const garden = await oauthGarden();
    opened.push(garden);
    const port = await freePort();
    const callback = `http://127.0.0.1:${port}/callback`;
    const client = await TestClient.registered(garden, { redirect_uris: [callback] });
    const results = await runAuthorizationSuite({
      url: garden.url,
      resource: garden.resource,
      clientId: client.id,
      port,
      agree: async (url) => {
        const browser = new Browser(garden.url);
        const page = await browser.visit(url);
        const consent = page.text.includes('name="passphrase"')
          ? await browser.submit(page, '/owner', { passphrase: PASSPHRASE })
          : page;
        const { location } = await browser.submit(consent, '/consent', client.choice({}));
        await fetch(location ?? '');
      },
    });
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
    expect(results.map(({ scenario, held }) => `${scenario} ${held}`).sort()).toEqual([
      'authorization-code-grant 1',
      'authorization-server-metadata-endpoint 2',
    ]);
  });

  it.each([
    ['2025-11-25', 30],
    ['2026-07-28', 37],
  ])(
    '%s: carries all that the revision requires to a client with an access token',
    async (revision, count) => {
      const garden = await oauthGarden({}, { createMcp: (_, { era }) => createFixtureServer(era) });
      opened.push(garden);
      const client = await TestClient.registered(garden);
      const { access_token: token } = await client.connect();
      const proxy = await bearerProxy(garden.url, token);
      opened.push(proxy);
      const scored = (await runSuite(`${proxy.url}/mcp`, revision)).filter((result) => result.scored);
      expect(scored.flatMap(({ failures }) => failures)).toEqual([]);
      expect(scored.filter(({ held }) => held > 0)).toHaveLength(count);
    },
  );
});
