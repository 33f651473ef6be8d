import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type SendWrite, sendWrites } from '../testing/send-writes.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let ask: Ask;
let send: SendWrite;
beforeAll(async () => {
  garden = await serveGarden({
    'Put.md': '---\ntags: [a]\n---\n# Put\n\none\ntwo\nthree\n',
    'Patch.md': '---\nstatus: open # keep\n---\n# Patch\n\nOld words.\n\n## Log\n\n- first\n',
    'A/append.md': 'A note of that name.\n',
  });
  await garden.opened.writes.switch(true);
  ask = askWith(garden.app, garden.key({ scopes: ['write'] }));
  send = sendWrites(ask);
});
afterAll(() => garden.close());

const TEXT = { 'content-type': 'text/markdown' };
const onDisk = (path: string): string => readFileSync(join(garden.root, path), 'utf8');
const tagOf = async (path: string, accept = 'application/json') =>
  String((await ask(`/v1/notes/${path}`, { headers: { accept } })).headers.etag);
const codes = ({ statusCode, payload }: Awaited<ReturnType<Ask>>) => [statusCode, JSON.parse(payload).code];

describe('PUT /v1/notes/{path}', () => {
  it('creates a note from JSON or from Markdown, and says where and as which version', async () => {
    const json = await send('PUT', '/v1/notes/New/By%20JSON.md', {
      content: 'Text.\n',
      frontmatter: { tags: ['x'] },
    });
    expect(json.statusCode).toBe(201);
    expect(json.headers.location).toBe('/v1/notes/New/By%20JSON.md');
    expect(onDisk('New/By JSON.md')).toBe('---\ntags:\n  - x\n---\nText.\n');
    const text = await send('PUT', '/v1/notes/New/By%20text.md', 'Text.\n', TEXT);
    expect([text.statusCode, onDisk('New/By text.md')]).toEqual([201, 'Text.\n']);
    expect(text.headers.etag).toBe(await tagOf('New/By%20text.md'));
    expect(text.json()).toMatchObject({ created: true, commit: expect.stringMatching(/^[\da-f]{40}$/) });
    // Searchable before the answer.
    expect((await ask('/v1/notes/By%20text')).statusCode).toBe(200);
  });

  it.each([
    ['PUT', '/v1/notes/Waited%20for.md?wait=embedded', 'Text.\n', TEXT],
    ['POST', '/v1/notes/Waited%20for.md/append?wait=embedded', 'More.\n', TEXT],
    ['PATCH', '/v1/notes/Waited%20for.md', { action: 'tags', add: ['b'], wait: 'embedded' }, {}],
  ] as const)(
    'waits with %s %s until the note can be found by meaning, where it can be',
    async (method, address, body, headers) => {
      const answer = await send(method, address, body, headers);
      expect(answer.json().remarks).toEqual([
        'No embedding model is set up: the note is found by its words.',
      ]);
    },
  );

  it('needs the version of a note that is there: 428 without, 412 when it is another', async () => {
    const before = onDisk('Put.md');
    expect(codes(await send('PUT', '/v1/notes/Put.md', 'new', TEXT))).toEqual([428, 'hash_required']);
    const stale = await send('PUT', '/v1/notes/Put.md', 'new', {
      ...TEXT,
      'if-match': `"${'0'.repeat(16)}"`,
    });
    expect(codes(stale)).toEqual([412, 'stale_hash']);
    expect(stale.json().hint).toContain('If-Match');
    expect(onDisk('Put.md')).toBe(before);
  });

  it('takes the tags of both forms, lists of which one matches, and *', async () => {
    const spellings = [
      await tagOf('Put.md'),
      async () => await tagOf('Put.md', 'text/markdown'),
      async () => `"${'a'.repeat(16)}", "of-another,server" , ,${await tagOf('Put.md')},W/"x"`,
      async () => `${await tagOf('Put.md')}, ${await tagOf('Put.md', 'text/markdown')}`,
      '*',
    ];
    for (const [at, spelling] of spellings.entries()) {
      const tag = typeof spelling === 'string' ? spelling : await spelling();
      const text = `# Put\n\none\ntwo\nthree\n${at}\n`;
      const answer = await send('PUT', '/v1/notes/Put.md', text, { ...TEXT, 'if-match': tag });
      expect([answer.statusCode, tag]).toEqual([200, tag]);
      // A whole text without properties keeps those that are there.
      expect(onDisk('Put.md')).toBe(`---\ntags: [a]\n---\n${text}`);
      expect(answer.headers.etag).toBe(await tagOf('Put.md'));
    }
  });

  it('matches no weak tag, and none that is not of ours', async () => {
    const before = onDisk('Put.md');
    const tag = await tagOf('Put.md');
    const spellings = [
      `W/${tag}`,
      '"x"',
      '""',
      '"*"',
      `"${tag.slice(1, -1).toUpperCase()}"`,
      `W/${tag}, "y"`,
    ];
    for (const spelling of spellings) {
      const answer = await send('PUT', '/v1/notes/Put.md', 'new', { ...TEXT, 'if-match': spelling });
      expect([...codes(answer), spelling]).toEqual([412, 'stale_hash', spelling]);
    }
    expect(onDisk('Put.md')).toBe(before);
  });

  it('refuses a stale version though the changes would fit together', async () => {
    await send('PUT', '/v1/notes/Strict.md', 'a\n\nb\n\nc\n\nd\n', TEXT);
    const tag = await tagOf('Strict.md');
    await send('PUT', '/v1/notes/Strict.md', 'a1\n\nb\n\nc\n\nd\n', { ...TEXT, 'if-match': tag });
    const late = await send('PUT', '/v1/notes/Strict.md', 'a\n\nb\n\nc\n\nd2\n', {
      ...TEXT,
      'if-match': tag,
    });
    expect(codes(late)).toEqual([412, 'stale_hash']);
    expect(onDisk('Strict.md')).toBe('a1\n\nb\n\nc\n\nd\n');
  });

  it('only creates with If-None-Match: *', async () => {
    const headers = { ...TEXT, 'if-none-match': '*' };
    expect((await send('PUT', '/v1/notes/Once.md', 'first', headers)).statusCode).toBe(201);
    expect(codes(await send('PUT', '/v1/notes/Once.md', 'second', headers))).toEqual([412, 'note_exists']);
    expect(onDisk('Once.md')).toMatch(/^first/);
  });

  it('does not empty a note unless told to, and can be tried', async () => {
    await send('PUT', '/v1/notes/Long.md', 'a\n\nb\n\nc\n\nd\n', TEXT);
    const headers = { ...TEXT, 'if-match': '*' };
    const shrunk = await send('PUT', '/v1/notes/Long.md', '', headers);
    expect(codes(shrunk)).toEqual([422, 'would_shrink']);
    expect(shrunk.json().hint).toContain('?overwrite=true');
    const tried = await send('PUT', '/v1/notes/Long.md?overwrite=true&dry_run=true', 'e\n', headers);
    expect(tried.json()).toMatchObject({ dry_run: true });
    expect([tried.headers.etag, onDisk('Long.md')]).toEqual([undefined, 'a\n\nb\n\nc\n\nd\n']);
    const done = await send('PUT', '/v1/notes/Long.md?overwrite=true&reason=Tidied', 'e\n', headers);
    expect([done.statusCode, onDisk('Long.md')]).toEqual([200, 'e\n']);
  });

  it.each<[string, string | Buffer | object, Readonly<Record<string, string>>, number, string]>([
    ['no content', {}, {}, 422, 'bad_input'],
    ['another field', { content: 'x', path: 'Other.md' }, {}, 422, 'unknown_parameter'],
    ['a list', '[1]', { 'content-type': 'application/json' }, 400, 'bad_body'],
    ['no UTF-8', Buffer.from([0x61, 0xff]), TEXT, 400, 'bad_body'],
    ['a NUL', 'a\u0000b', TEXT, 422, 'bad_input'],
    ['another type', 'x', { 'content-type': 'text/html' }, 415, 'media_type_refused'],
    ['a tag without quotes', 'x', { ...TEXT, 'if-match': '90a5b1c4d2e3f607' }, 422, 'bad_input'],
    ['an empty If-Match', 'x', { ...TEXT, 'if-match': '' }, 422, 'bad_input'],
    ['a list with * in it', 'x', { ...TEXT, 'if-match': '*, "x"' }, 422, 'bad_input'],
    ['a letter between tags', 'x', { ...TEXT, 'if-match': '"x", T, "y"' }, 422, 'bad_input'],
    ['a tag with a space', 'x', { ...TEXT, 'if-match': '"x y"' }, 422, 'bad_input'],
    ['tags without a comma', 'x', { ...TEXT, 'if-match': '"x" "y"' }, 422, 'bad_input'],
    [
      'two versions of no note',
      'x',
      { ...TEXT, 'if-match': `"${'a'.repeat(16)}", "${'b'.repeat(16)}"` },
      412,
      'stale_hash',
    ],
    ['If-None-Match with a tag', 'x', { ...TEXT, 'if-none-match': '"x"' }, 422, 'bad_input'],
    ['both conditions', 'x', { ...TEXT, 'if-match': '*', 'if-none-match': '*' }, 422, 'bad_input'],
    [
      'an idempotency key without end',
      'x',
      { ...TEXT, 'idempotency-key': 'k'.repeat(300) },
      422,
      'bad_input',
    ],
    ['too much text', 'x'.repeat(101 * 1024), TEXT, 413, 'payload_too_large'],
    [
      'a version where there is no note',
      'x',
      { ...TEXT, 'if-match': `"${'a'.repeat(16)}"` },
      412,
      'stale_hash',
    ],
    ['any version where there is no note', 'x', { ...TEXT, 'if-match': '*' }, 412, 'stale_hash'],
  ])('refuses %s, and writes nothing', async (_, payload, headers, status, code) => {
    expect(codes(await send('PUT', '/v1/notes/Never.md', payload, headers))).toEqual([status, code]);
    expect((await ask('/v1/notes/Never.md')).statusCode).toBe(404);
  });

  it.each([
    '/v1/notes/..%2Fout.md',
    '/v1/notes/../out.md',
    '/v1/notes/.git/config.md',
    '/v1/notes/',
    '/v1/notes/%00.md',
  ])('refuses the address %s', async (url) => {
    const { statusCode } = await ask(url, { method: 'PUT', payload: 'x', headers: TEXT });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
  });
});

describe('PATCH /v1/notes/{path}', () => {
  it('changes a part and keeps every other byte', async () => {
    const edits = [{ find: 'Old words', replace: 'New words' }];
    const edited = await send('PATCH', '/v1/notes/Patch.md', { action: 'edit', edits });
    expect(edited.statusCode).toBe(200);
    await send('PATCH', '/v1/notes/Patch.md', { action: 'frontmatter', set: { due: '2026-12-24' } });
    expect(onDisk('Patch.md')).toBe(
      '---\nstatus: open # keep\ndue: 2026-12-24\n---\n# Patch\n\nNew words.\n\n## Log\n\n- first\n',
    );
  });

  it('judges the version as a header or as a field, and not as both', async () => {
    const change = { action: 'edit', edits: [{ find: 'New words', replace: 'Newer words' }] };
    const wrong = `"${'f'.repeat(16)}"`;
    expect(codes(await send('PATCH', '/v1/notes/Patch.md', change, { 'if-match': wrong }))[0]).toBe(412);
    expect(codes(await send('PATCH', '/v1/notes/Patch.md', { ...change, if_hash: wrong }))[0]).toBe(412);
    const both = await send(
      'PATCH',
      '/v1/notes/Patch.md',
      { ...change, if_hash: wrong },
      { 'if-match': wrong },
    );
    expect(codes(both)).toEqual([422, 'bad_input']);
  });

  it.each([
    [{}, 'bad_input'],
    [{ action: 'write', content: 'x' }, 'bad_input'],
    [{ action: ' Delete ' }, 'bad_input'],
    [{ action: 'edit', path: 'Compost.md', edits: [] }, 'unknown_parameter'],
    [{ action: 'edit', edits: [{ find: 'nowhere', replace: 'x' }] }, 'edit_no_match'],
    [{ operations: [] }, 'unknown_parameter'],
    [{ action: 'edit', edits: [{ find: 'a', replace: 'b' }], merge: true }, 'unknown_parameter'],
  ])('refuses %j', async (body, code) => {
    const before = onDisk('Patch.md');
    expect(codes(await send('PATCH', '/v1/notes/Patch.md', body))[1]).toBe(code);
    expect(onDisk('Patch.md')).toBe(before);
  });
});

describe('POST /v1/notes/{path}/append', () => {
  it('takes plain text, Markdown and JSON', async () => {
    const plain = { 'content-type': 'text/plain' };
    expect((await send('POST', '/v1/notes/Log.md/append', '- one', plain)).statusCode).toBe(201);
    await send('POST', '/v1/notes/Log.md/append', '- two', {
      'content-type': 'text/markdown; charset=utf-8',
    });
    await send('POST', '/v1/notes/Log.md/append', { content: '- three' });
    expect(onDisk('Log.md')).toBe('- one\n- two\n- three\n');
    await send('POST', '/v1/notes/Patch.md/append?section=Log', '- second', plain);
    expect(onDisk('Patch.md')).toMatch(/- first\n- second\n$/);
  });

  it('does not write the same words again, unless told to', async () => {
    await send('POST', '/v1/notes/Twice.md/append', 'same', { 'content-type': 'text/plain' });
    const again = await send('POST', '/v1/notes/Twice.md/append', 'same', { 'content-type': 'text/plain' });
    expect([again.statusCode, again.json().already_there]).toEqual([200, true]);
    await send('POST', '/v1/notes/Twice.md/append?repeat=true', 'same', { 'content-type': 'text/plain' });
    expect(onDisk('Twice.md').match(/same/g)).toHaveLength(2);
  });

  it('is about the note before it in the address, whatever notes are called', async () => {
    await send('POST', '/v1/notes/A/append.md/append', 'More.', { 'content-type': 'text/plain' });
    expect(onDisk('A/append.md')).toBe('A note of that name.\n\nMore.\n');
    const { statusCode, headers, payload } = await ask('/v1/notes/Compost.md', {
      method: 'POST',
      payload: {},
    });
    expect([statusCode, JSON.parse(payload).code]).toEqual([405, 'method_refused']);
    expect(headers.allow).toBe('DELETE, GET, HEAD, PATCH, PUT');
  });
});

describe('POST /v1/batch', () => {
  it('answers for each operation, or does all or nothing', async () => {
    const operations = [
      { action: 'append', path: 'Batch.md', content: 'one' },
      { action: 'edit', path: 'Batch.md', edits: [{ find: 'zero', replace: 'x' }] },
    ];
    const atomic = await send('POST', '/v1/batch', { operations, atomic: true });
    expect(codes(atomic)).toEqual([422, 'batch_refused']);
    expect((await ask('/v1/notes/Batch.md')).statusCode).toBe(404);
    const each = await send('POST', '/v1/batch', { operations });
    expect(each.json().results).toMatchObject([
      { op: 0, created: true },
      { op: 1, error: { code: 'edit_no_match' } },
    ]);
    expect(onDisk('Batch.md')).toBe('one\n');
  });

  it.each([
    [{}, {}, 'bad_input'],
    [{ operations: [] }, {}, 'bad_input'],
    [{ path: 'A.md', content: 'x' }, {}, 'unknown_parameter'],
    [{ operations: [{ path: 'A.md', content: 'x' }] }, { 'if-match': '*' }, 'bad_input'],
    [{ operations: Array.from({ length: 101 }, () => ({ path: 'A.md', content: 'x' })) }, {}, 'bad_input'],
  ])('refuses %j', async (body, headers, code) => {
    expect(codes(await send('POST', '/v1/batch', body, headers))[1]).toBe(code);
  });
});

describe('Idempotency-Key', () => {
  it('gives a retry the first answer, and refuses another request under the same key', async () => {
    const headers = { 'content-type': 'text/plain', 'idempotency-key': '"a-b-c"' };
    const first = await send('POST', '/v1/notes/Retried.md/append?repeat=true', 'once', headers);
    const again = await send('POST', '/v1/notes/Retried.md/append?repeat=true', 'once', headers);
    expect(again.json()).toMatchObject({ replayed: true, commit: first.json().commit });
    expect(onDisk('Retried.md')).toBe('once\n');
    const other = await send('POST', '/v1/notes/Retried.md/append', 'other', headers);
    expect(codes(other)).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('who may write', () => {
  it('needs the scope append to add and to make notes, and write for the rest', async () => {
    const appending = askWith(garden.app, garden.key({ scopes: ['append'] }));
    const reading = askWith(garden.app, garden.key());
    const append = ['POST', '/v1/notes/Scopes.md/append', 'x', { 'content-type': 'text/plain' }] as const;
    const put = ['PUT', '/v1/notes/Scopes.md', 'x', TEXT] as const;
    expect((await send(...append, appending)).statusCode).toBe(201);
    expect(codes(await send(...append, reading))).toEqual([403, 'scope_missing']);
    expect(codes(await send(...put, reading))).toEqual([403, 'scope_missing']);
    const made = await send('PUT', '/v1/notes/Made by append.md', 'x', TEXT, appending);
    expect(made.statusCode).toBe(201);
    const change = (method: 'PUT' | 'PATCH' | 'POST', url: string, body: object | string, headers = {}) =>
      send(method, url, body, headers, appending);
    const before = { action: 'prepend', content: 'before' };
    const add = [{ ...before, path: 'Scopes.md', content: 'in a batch' }];
    expect((await change('PATCH', '/v1/notes/Scopes.md', before)).statusCode).toBe(200);
    expect((await change('POST', '/v1/batch', { operations: add })).statusCode).toBe(200);
    expect(onDisk('Scopes.md')).toBe('in a batch\n\nbefore\n\nx\n');
    const tags = { action: 'tags', add: ['t'] };
    for (const refused of [
      await change('PUT', '/v1/notes/Scopes.md', 'over', { ...TEXT, 'if-match': '*' }),
      await change('PATCH', '/v1/notes/Scopes.md', tags),
      await change('POST', '/v1/batch', { operations: [{ ...tags, path: 'Scopes.md' }], atomic: true }),
    ])
      expect(refused.statusCode).toBeGreaterThanOrEqual(403);
    expect(onDisk('Scopes.md')).toBe('in a batch\n\nbefore\n\nx\n');
  });

  it('answers for a hidden note as for one that is not there', async () => {
    const limited = askWith(garden.app, garden.key({ scopes: ['write'], denyPaths: ['Private'] }));
    const before = onDisk('Private/Diary.md');
    const tried = await Promise.all(
      ['Diary', 'Nobody'].map(async (name) => {
        const answer = await send(
          'PUT',
          `/v1/notes/Private/${name}.md`,
          'x',
          { ...TEXT, 'if-match': '*' },
          limited,
        );
        const { request_id: _, ...problem } = answer.json();
        return JSON.stringify(problem).replaceAll(name, 'NAME');
      }),
    );
    expect(tried[0]).toBe(tried[1]);
    expect(onDisk('Private/Diary.md')).toBe(before);
  });

  it('is nobody while the switch is off', async () => {
    await garden.opened.writes.switch(false);
    const answer = await send('PUT', '/v1/notes/Off.md', 'x', TEXT);
    await garden.opened.writes.switch(true);
    expect(codes(answer)).toEqual([403, 'writes_off']);
  });
});
