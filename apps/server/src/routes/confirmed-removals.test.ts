import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type SendWrite, sendWrites } from '../testing/send-writes.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
let send: SendWrite;
beforeEach(async () => {
  garden = await serveGarden({ '.grove/vault.yaml': 'deletes: confirm\n', 'Old.md': 'old\n' });
  await garden.opened.writes.switch(true);
  ask = askWith(garden.app, garden.key({ scopes: ['write'] }));
  send = sendWrites(ask);
});
afterEach(() => garden.close());

const ANY = { 'if-match': '*' };
const isThere = (path: string): boolean => existsSync(join(garden.root, path));
const confirmations = () => garden.opened.writes.confirmations;
const codes = ({ statusCode, payload }: Awaited<ReturnType<Ask>>) => [
  statusCode,
  JSON.parse(payload).code ?? 'ok',
];

describe('what deletes over REST, where a person has to agree', () => {
  it('answers 403 with what to do, and passes once when the owner said yes', async () => {
    const refused = await send('DELETE', '/v1/notes/Old.md', undefined, ANY);
    expect(refused.statusCode).toBe(403);
    expect(refused.headers['content-type']).toContain('application/problem+json');
    expect(refused.json()).toMatchObject({
      code: 'confirmation_needed',
      notes: ['Old.md'],
      hint: expect.stringContaining('grove approve'),
    });
    const [{ id } = { id: '' }] = confirmations().waiting();
    expect(refused.payload).not.toContain(id);
    confirmations().approve(id);
    expect(codes(await send('DELETE', '/v1/notes/Old.md', undefined, ANY))).toEqual([200, 'ok']);
    expect(isThere('Old.md')).toBe(false);
  });

  it('does nothing of a batch before, and passes the same batch once', async () => {
    const batch = {
      operations: [
        { action: 'append', path: 'Compost.md', content: 'Added.' },
        { action: 'delete', path: 'Old.md', if_hash: '*' },
      ],
    };
    expect(codes(await send('POST', '/v1/batch', batch))).toEqual([403, 'confirmation_needed']);
    const [{ id } = { id: '' }] = confirmations().waiting();
    confirmations().approve(id);
    const done = await send('POST', '/v1/batch', batch);
    expect(done.json().results.map(({ commit }: { commit?: string }) => typeof commit)).toEqual([
      'string',
      'string',
    ]);
    expect((await ask('/v1/notes/Compost.md')).json().content.match(/Added/g)).toHaveLength(1);
  });

  it('is a yes to one key alone', async () => {
    await send('DELETE', '/v1/notes/Old.md', undefined, ANY);
    const [{ id } = { id: '' }] = confirmations().waiting();
    confirmations().approve(id);
    const other = askWith(garden.app, garden.key({ scopes: ['write'] }));
    expect(codes(await send('DELETE', '/v1/notes/Old.md', undefined, ANY, other))).toEqual([
      403,
      'confirmation_needed',
    ]);
    expect(isThere('Old.md')).toBe(true);
  });
});
