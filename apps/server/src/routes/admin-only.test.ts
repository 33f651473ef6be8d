import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OAuthGarden, oauthGarden } from '../oauth/testing/oauth-garden.ts';
import { TestClient } from '../oauth/testing/test-client.ts';

let garden: OAuthGarden;
beforeAll(async () => {
  garden = await oauthGarden();
});
afterAll(() => garden.close());

const HOLDERS: readonly (readonly [string, () => Promise<string>, string, string | null])[] = [
  [
    'a client that was let in',
    async () => (await (await TestClient.registered(garden)).connect()).access_token,
    'admin_key_needed',
    null,
  ],
  [
    'a guest of a trail',
    async () => {
      const rules = parseTrailRules({ allowPaths: ['**'] });
      return garden.control.trails.create({ name: 'Guests', vault: garden.opened.slug, rules }).token;
    },
    'admin_key_needed',
    null,
  ],
  [
    'a key that only reads',
    async () => garden.control.keys.create({ name: 'Reader', vault: garden.opened.slug }).token,
    'scope_missing',
    'Bearer realm="grove", error="insufficient_scope", scope="admin"',
  ],
];

it.each(HOLDERS)('tells %s what may do what is for admins', async (_, make, code, challenge) => {
  const authorization = `Bearer ${await make()}`;
  for (const path of ['/v1/keys', '/v1/trails', '/v1/grants', '/v1/audit', '/metrics']) {
    const answer = await fetch(`${garden.url}${path}`, { headers: { authorization } });
    expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      path,
      403,
      code,
    ]);
    // A client must not be led to ask for a scope that it can never have.
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  }
});
