import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type SendWrite, sendWrites } from '../testing/send-writes.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
let send: SendWrite;
beforeAll(async () => {
  garden = await serveGarden();
  await garden.opened.writes.switch(true);
  ask = askWith(garden.app, garden.key({ scopes: ['write'] }));
  send = sendWrites(ask);
});
afterAll(() => garden.close());

const TEXT = { 'content-type': 'text/markdown' };
const onDisk = (path: string): string => readFileSync(join(garden.root, path), 'utf8');
const tagOf = async (path: string) => String((await ask(`/v1/notes/${path}`)).headers.etag);
const codes = ({ statusCode, payload }: Awaited<ReturnType<Ask>>) => [statusCode, JSON.parse(payload).code];

describe('DELETE /v1/notes/{path}', () => {
  it('needs the version, moves the note to the trash, and says how to bring it back', async () => {
    await send('PUT', '/v1/notes/Gone.md', 'here\n', TEXT);
    expect(codes(await send('DELETE', '/v1/notes/Gone.md', undefined))).toEqual([428, 'hash_required']);
    const stale = { 'if-match': `"${'0'.repeat(16)}"` };
    expect(codes(await send('DELETE', '/v1/notes/Gone.md', undefined, stale))).toEqual([412, 'stale_hash']);
    const headers = { 'if-match': await tagOf('Gone.md') };
    const tried = await send('DELETE', '/v1/notes/Gone.md?dry_run=true', undefined, headers);
    expect([tried.statusCode, onDisk('Gone.md')]).toEqual([200, 'here\n']);
    const done = await send('DELETE', '/v1/notes/Gone.md?reason=Done', undefined, headers);
    expect([done.statusCode, done.headers.etag]).toEqual([200, undefined]);
    expect((await ask('/v1/notes/Gone.md')).statusCode).toBe(404);
    const { path, ...undo } = done.json().undo;
    const back = await send('PATCH', `/v1/notes/${path}`, undo);
    expect([back.statusCode, onDisk('Gone.md')]).toEqual([201, 'here\n']);
  });

  it('needs the scope write, and a note', async () => {
    const appending = askWith(garden.app, garden.key({ scopes: ['append'] }));
    const any = { 'if-match': '*' };
    expect(codes(await send('DELETE', '/v1/notes/Compost.md', undefined, any, appending))[0]).toBe(403);
    expect(codes(await send('DELETE', '/v1/notes/Nobody.md', undefined, any))).toEqual([
      404,
      'note_not_found',
    ]);
  });
});

describe('a move by PATCH', () => {
  it('mends the links, and needs the version', async () => {
    await send('PUT', '/v1/notes/Mover.md', 'moved\n', TEXT);
    await send('PUT', '/v1/notes/Linker.md', 'See [[Mover]].\n', TEXT);
    const move = { action: 'move', to: 'Elsewhere/Moved.md' };
    expect(codes(await send('PATCH', '/v1/notes/Mover.md', move))).toEqual([428, 'hash_required']);
    const headers = { 'if-match': await tagOf('Mover.md') };
    const done = await send('PATCH', '/v1/notes/Mover.md', move, headers);
    expect(done.json()).toMatchObject({ path: 'Elsewhere/Moved.md', moved_from: 'Mover.md' });
    expect(onDisk('Linker.md')).toBe('See [[Moved]].\n');
  });
});

describe('anything', () => {
  it('that a client may send is answered as described, and never with a server error', async () => {
    const name = fc.constantFrom(
      ...'action path section content frontmatter edits set unset add remove location if_hash overwrite create_section subsections timestamp repeat reason dry_run atomic operations __proto__'.split(
        ' ',
      ),
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom<unknown>(
        'append',
        'edit',
        'tags',
        'frontmatter',
        'prepend',
        'move',
        'restore',
        '*',
        null,
        [{ find: 'a', replace: 'b' }],
      ),
    );
    const address = fc.constantFrom<['PUT' | 'PATCH' | 'POST' | 'DELETE', string]>(
      ['PUT', '/v1/notes/Fuzz.md'],
      ['PATCH', '/v1/notes/Fuzz.md'],
      ['DELETE', '/v1/notes/Fuzz.md'],
      ['POST', '/v1/notes/Fuzz.md/append'],
      ['POST', '/v1/batch'],
    );
    await fc.assert(
      fc.asyncProperty(
        address,
        fc.array(fc.tuple(name, value), { maxLength: 5 }),
        async ([method, url], fields) => {
          const answer = await send(method, url, JSON.stringify(Object.fromEntries(fields)), {
            'content-type': 'application/json',
          });
          expect(answer.statusCode).toBeLessThan(500);
        },
      ),
      { numRuns: 150 },
    );
  });
});
