import { afterAll, beforeAll, expect, it } from 'vitest';
import { legacy, RawMcp } from '../mcp/testing/raw-mcp.ts';
import { type DocumentServer, documentServer } from './testing/document-server.ts';
import { type OAuthGarden, oauthGarden } from './testing/oauth-garden.ts';
import { TestClient } from './testing/test-client.ts';

let documents: DocumentServer;
let garden: OAuthGarden;
beforeAll(async () => {
  documents = await documentServer();
  garden = await oauthGarden({}, { fetchDocument: documents.fetchDocument });
});
afterAll(async () => {
  await garden.close();
  await documents.close();
});

const REDIRECT = 'https://client.example/callback';

const CLIENTS: readonly (readonly [string, () => Promise<TestClient>])[] = [
  ['registered itself', async () => await TestClient.registered(garden)],
  [
    'the owner made',
    async () => {
      const { client, secret } = garden.control.clients.create({ name: 'Static', redirectUris: [REDIRECT] });
      return new TestClient(garden, client.id, REDIRECT, secret);
    },
  ],
  [
    'is known by its document',
    async () => {
      const id = 'https://client.example/client.json';
      const said = {
        client_name: 'By document',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      };
      documents.put(id, { client_id: id, ...said });
      return new TestClient(garden, id, REDIRECT);
    },
  ],
];

it.each(CLIENTS)(
  'a client that %s is shown tools when it is connected, in both profiles',
  async (_, make) => {
    const { access_token: token } = await (await make()).connect();
    for (const [profile, count] of [
      ['notes', 5],
      ['search', 2],
    ] as const) {
      const mcp = new RawMcp(`${garden.resource}?profile=${profile}`, token);
      const { tools } = await mcp.result(legacy('tools/list'));
      expect(tools).toHaveLength(count);
    }
  },
);
