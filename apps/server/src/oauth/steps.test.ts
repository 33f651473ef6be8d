import { Writable } from 'node:stream';
import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { Browser } from './testing/browser.ts';
import { type OAuthGarden, oauthGarden, PASSPHRASE } from './testing/oauth-garden.ts';
import { TestClient } from './testing/test-client.ts';

const lines: string[] = [];
let garden: OAuthGarden;
beforeAll(async () => {
  const log = createLog(
    'info',
    new Writable({
      write: (line: Buffer, _, done) => {
        lines.push(line.toString());
        done();
      },
    }),
  );
  garden = await oauthGarden({}, { log });
});
afterAll(() => garden.close());

/** The steps that were logged since, each with what it says of the client. */
function stepsSince(
  count: number,
): { readonly step: string; readonly client: unknown; readonly reqId: unknown; readonly error?: string }[] {
  return lines
    .slice(count)
    .map((line) => JSON.parse(line))
    .filter(({ step }) => step !== undefined);
}

it('are logged one by one, so that a client can be followed to the step that failed', async () => {
  const client = await TestClient.registered(garden);
  const before = lines.length;
  const tokens = await client.connect();
  await client.refresh(tokens.refresh_token);
  await client.revoke(tokens.access_token);
  const steps = stepsSince(before);
  expect(steps.map(({ step }) => step)).toEqual([
    'interaction.started',
    'sign_in',
    'consent',
    'interaction.ended',
    'authorization.success',
    'grant.success',
    'grant.success',
    'grant.revoked',
  ]);
  expect(new Set(steps.map((step) => step.client))).toEqual(new Set([client.id]));
  // Where a request was answered, so that the page of an error leads to its line.
  expect(steps.filter(({ reqId }) => typeof reqId !== 'string').map(({ step }) => step)).toEqual([]);
});

it('say why a client was refused', async () => {
  const client = await TestClient.registered(garden);
  const before = lines.length;
  const browser = new Browser(garden.url);
  await browser.visit(client.authorizeUrl({ redirect_uri: 'https://evil.example/' }));
  await browser.visit(client.authorizeUrl({ code_challenge: null, code_challenge_method: null }));
  await client.exchange('no-code');
  const page = await browser.visit(client.authorizeUrl());
  await browser.submit(page, '/owner', { passphrase: 'a guess' });
  const steps = stepsSince(before);
  expect(steps.map(({ step, error }) => [step, error])).toEqual([
    ['authorization.error', 'invalid_redirect_uri'],
    ['authorization.error', 'invalid_request'],
    ['grant.error', 'invalid_grant'],
    ['interaction.started', undefined],
    ['sign_in', undefined],
  ]);
});

it('hold no token, code, passphrase or cookie', async () => {
  const { token, invite } = garden.control.trails.create({
    name: 'Shared',
    vault: garden.opened.slug,
    rules: parseTrailRules({ allowTags: ['garden'] }),
  });
  const client = await TestClient.registered(garden, { token_endpoint_auth_method: 'client_secret_post' });
  const browser = new Browser(garden.url);
  const answer = await client.authorize({}, {}, browser);
  const { body } = await client.exchange(answer.get('code'));
  const guest = new Browser(garden.url);
  await guest.visit(`/invite/${invite}`);
  await guest.submit(await guest.visit(client.authorizeUrl()), '/trail', { secret: token });
  const log = lines.join('');
  for (const secret of [
    PASSPHRASE,
    client.secret,
    client.verifier,
    answer.get('code'),
    body.access_token,
    body.refresh_token,
    token,
    invite,
    ...[...browser.cookies(), ...guest.cookies()].map(({ value }) => value),
  ]) {
    if (String(secret).length > 8) expect(log).not.toContain(secret);
  }
});

it('are in the audit', async () => {
  const { trail, token } = garden.control.trails.create({
    name: 'Guests',
    vault: garden.opened.slug,
    rules: parseTrailRules({ allowTags: ['garden'] }),
  });
  const client = await TestClient.registered(garden, { client_name: 'Audited' });
  const browser = new Browser(garden.url);
  const page = await browser.visit(client.authorizeUrl());
  await browser.submit(page, '/trail', { secret: 'wrong' });
  const consent = await browser.submit(page, '/trail', { secret: token });
  await browser.submit(consent, '/consent', { access: 'read' });
  garden.control.audit.flush();
  const entries = garden.control.audit.list({}).filter((entry) => entry.client === 'Audited');
  expect(
    entries.map(({ tool, via, outcome, trail: bound, address }) => ({ tool, via, outcome, bound, address })),
  ).toEqual(
    [
      { tool: 'sign_in', outcome: 'trail_unknown', bound: null },
      { tool: 'sign_in', outcome: 'ok', bound: trail.id },
      { tool: 'consent', outcome: 'ok', bound: trail.id },
    ]
      .reverse()
      .map((entry) => ({ ...entry, via: 'oauth', address: '127.0.0.1' })),
  );
});
