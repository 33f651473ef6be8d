import { createHmac } from 'node:crypto';
import { describeWithPrograms, makeRemoteSide, type RemoteSide } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { NO_NOTES } from '../testing/open-garden.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const SECRET = 'a secret of webhooks';
const waited = { timeout: 120_000, interval: 100 };

let garden: ServedGarden;
let side: RemoteSide;
let admin: Ask;
beforeEach(async () => {
  garden = await serveGarden({ ...NO_NOTES, '.obsidian/app.json': '{}' }, { webhookSecret: SECRET });
  admin = askWith(garden.app, garden.key({ name: 'Admin', scopes: ['admin', 'write'] }));
  side = await makeRemoteSide({ 'Plan.md': 'one\ntwo\nthree\n' });
});
afterEach(() => garden.close());

const post = (body: string, headers: Record<string, string>, url = '/v1/sync') =>
  garden.app.inject({
    method: 'POST',
    url,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const signed = (body: string, secret = SECRET) => ({
  'x-github-event': 'push',
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});
const read = async (path: string) => (await admin(`/v1/notes/${encodeURIComponent(path)}`)).json();

describeWithPrograms('/v1/sync', ['git'], () => {
  it('runs for a key with the scope admin, tells what it did, and how it stands', async () => {
    const ask = (url: string) => admin(url, { method: 'POST' });
    expect((await ask('/v1/sync?wait=true')).json().run.problem.code).toBe('remote_none');
    await garden.opened.sync.choose({ mode: 'on', url: side.url });
    const done = await ask('/v1/sync?wait=true');
    expect(done.statusCode).toBe(200);
    expect(done.headers['cache-control']).toBe('no-store');
    expect(done.json()).toMatchObject({
      sync: { mode: 'on', state: 'idle', remote: 'origin', url: side.url, ahead: 0, behind: 0 },
      run: { pulled: 'fast_forward', changed: ['Plan.md'], pushed: false },
    });
    expect((await read('Plan.md')).content).toContain('two');
    expect((await ask('/v1/sync')).statusCode).toBe(202);
    expect((await admin('/v1/sync')).json().sync).toMatchObject({ mode: 'on', url: side.url });
  });

  it('is refused to keys of other scopes, and to those that are kept from some notes', async () => {
    for (const [wish, code] of [
      [{ scopes: ['write'] }, 'scope_missing'],
      [{ scopes: ['admin'], denyPaths: ['Private'] }, 'key_limited'],
    ] as const) {
      const ask = askWith(garden.app, garden.key({ ...wish, scopes: [...wish.scopes] }));
      expect((await ask('/v1/sync', { method: 'POST' })).json().code).toBe(code);
      expect((await ask('/v1/sync')).json().code).toBe(code);
    }
    expect((await garden.app.inject({ method: 'POST', url: '/v1/sync' })).json().code).toBe('key_missing');
  });
});

describeWithPrograms('a webhook', ['git'], () => {
  beforeEach(async () => {
    await garden.opened.sync.choose({ mode: 'on', url: side.url });
  });

  it.each([
    ['GitHub, Gitea and Forgejo sign', (body: string) => signed(body)],
    ['GitLab sends the secret', () => ({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET })],
  ])('is taken as %s', async (_, headersOf) => {
    const body = JSON.stringify({ ref: 'refs/heads/main', text: 'Zoë' });
    const answer = await post(body, headersOf(body));
    expect([answer.statusCode, answer.json()]).toEqual([202, { accepted: true }]);
    await vi.waitFor(async () => expect((await read('Plan.md')).content).toContain('two'), waited);
  });

  it('is taken as a form, and again when it is replayed: that costs a look at the remote', async () => {
    const body = 'payload=%7B%7D';
    const headers = { ...signed(body), 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(body, headers)).statusCode).toBe(202);
    expect((await post(body, headers)).statusCode).toBe(202);
    await garden.opened.sync.ended();
    expect(garden.opened.sync.health()).toMatchObject({ state: 'idle', problem: null });
  });

  it.each([
    ['without a signature', { 'x-github-event': 'push' }, 'it is not signed'],
    ['with another secret', signed('{}', 'guessed'), 'signed with another secret'],
    ['over another body', signed('{"a":1}'), 'signed with another secret'],
    ['with another token', { 'x-gitlab-token': 'guessed' }, 'signed with another secret'],
    ['with no digest', { 'x-hub-signature-256': 'sha256=' }, 'signed with another secret'],
  ])('is refused %s, and nothing is looked up', async (_, headers, reason) => {
    const answer = await post('{}', headers);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'webhook_refused']);
    expect(answer.json().detail).toContain(reason);
    expect(answer.payload).not.toContain(SECRET);
    await garden.opened.sync.ended();
    expect(side.server.seen).toEqual([]);
  });

  it('is refused where sync is off, for another vault, and with a body that is too large', async () => {
    expect((await post('{}', signed('{}'), '/v1/sync?vault=other')).json().code).toBe('vault_unknown');
    const huge = ' '.repeat(5 * 1024 * 1024);
    expect((await post(huge, signed(huge))).json().code).toBe('body_too_large');
    await garden.opened.sync.choose({ mode: 'off' });
    expect((await post('{}', signed('{}'))).json().code).toBe('sync_off');
  });

  it('comes sixty times a minute from one address', async () => {
    const answers = [];
    for (let count = 0; count <= 60; count += 1) answers.push(await post('{}', { 'x-github-event': 'push' }));
    expect(answers.map(({ statusCode }) => statusCode).lastIndexOf(403)).toBe(59);
    expect(answers.at(-1)?.statusCode).toBe(429);
    expect(answers.at(-1)?.headers['retry-after']).toBeDefined();
  });
});

describe('a webhook where no secret is set', () => {
  it('is refused with the name of the setting', async () => {
    const plain = await serveGarden();
    try {
      const headers = { 'content-type': 'application/json', ...signed('{}') };
      const answer = await plain.app.inject({ method: 'POST', url: '/v1/sync', payload: '{}', headers });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().hint).toContain('GROVE_SYNC_WEBHOOK_SECRET');
    } finally {
      await plain.close();
    }
  });
});
