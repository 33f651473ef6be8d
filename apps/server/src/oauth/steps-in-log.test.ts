import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { legacy, RawMcp } from '../mcp/testing/raw-mcp.ts';
import { type DocumentServer, documentServer } from './testing/document-server.ts';
import { type OAuthGarden, oauthGarden } from './testing/oauth-garden.ts';
import { TestClient } from './testing/test-client.ts';

interface Line {
  readonly msg: string;
  readonly client?: string;
  readonly step?: string;
  readonly error?: string;
  readonly description?: string;
}

const lines: Line[] = [];
const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) });

let documents: DocumentServer;
let garden: OAuthGarden;
beforeAll(async () => {
  documents = await documentServer();
  garden = await oauthGarden({}, { log, fetchDocument: documents.fetchDocument });
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
  'a client that %s is shown tools when it is connected, and each step is told',
  async (_, make) => {
    const client = await make();
    const { access_token: token } = await client.connect();
    const mcp = new RawMcp(garden.resource, token);
    const { tools } = await mcp.result(legacy('tools/list'));
    expect(tools.length).toBeGreaterThan(4);
    const told = lines.filter((line) => line.client === client.id).map(({ msg }) => msg);
    const steps = [
      'a person is asked to sign in',
      'a person signed in',
      'a client was agreed to',
      'a code was issued',
    ];
    expect(told.filter((msg) => [...steps, 'tokens were issued'].includes(msg))).toEqual([
      ...steps,
      'tokens were issued',
    ]);
  },
);

it.each<[string, (client: TestClient) => Promise<unknown>, string, string]>([
  [
    'the address to go back to is another',
    async (client) => await fetch(client.authorizeUrl({ redirect_uri: 'https://evil.example/' })),
    'an authorization was refused',
    'redirect_uri',
  ],
  [
    'the notes are of another server',
    async (client) =>
      await fetch(client.authorizeUrl({ resource: 'https://other.example/mcp' }), { redirect: 'manual' }),
    'an authorization was refused',
    'the resource is',
  ],
  [
    'the code is proven by another secret',
    async (client) =>
      await client.exchange((await client.authorize()).get('code'), { code_verifier: 'x'.repeat(43) }),
    'a request for tokens was refused',
    'code_verifier',
  ],
])('the step that failed is told with its reason: %s', async (_, fail, msg, reason) => {
  const client = await TestClient.registered(garden);
  await fail(client);
  const refused = lines.filter((line) => line.client === client.id && line.msg === msg);
  expect(refused).toHaveLength(1);
  expect(JSON.stringify(refused)).toContain(reason);
});
