import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askWith } from '../testing/ask.ts';
import { type SendWrite, sendWrites } from '../testing/send-writes.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let send: SendWrite;
beforeAll(async () => {
  garden = await serveGarden({
    '.grove/vault.yaml':
      'types:\n  book:\n    folder: Books\n    template: Templates/Book\n    required:\n      pages: number\n',
    'Templates/Book.md': '---\ntype: book\ntags: [book]\npages:\n---\n# {{title}}\n',
  });
  await garden.opened.writes.switch(true);
  send = sendWrites(askWith(garden.app, garden.key({ scopes: ['write'] })));
});
afterAll(() => garden.close());

const TEXT = { 'content-type': 'text/markdown' };

it('PUT that breaks rules of the vault is a problem of status 422 that lists what is wanted', async () => {
  const wrong = await send('PUT', '/v1/notes/Dune.md', '---\ntype: book\n---\n# Dune\n', TEXT);
  expect(wrong.statusCode).toBe(422);
  expect(wrong.json()).toMatchObject({
    code: 'schema_violation',
    breaches: [
      { field: 'path', example: 'Books/Dune.md' },
      { field: 'pages', example: 'pages: 1' },
      { field: 'tags', example: 'tags: [book]' },
    ],
  });
  expect(existsSync(join(garden.root, 'Dune.md'))).toBe(false);
  const right = '---\ntype: book\npages: 412\ntags: [book]\n---\n# Dune\n';
  expect((await send('PUT', '/v1/notes/Books/Dune.md', right, TEXT)).statusCode).toBe(201);
});

it('PUT without text makes a note of the template of its type, where If-None-Match says that it is new', async () => {
  const url = '/v1/notes/Books/Ulysses.md';
  const isNew = { 'if-none-match': '*' };
  const body = { frontmatter: { pages: 730 } };
  expect((await send('PUT', url, body)).statusCode).toBe(422);
  const made = await send('PUT', url, body, isNew);
  expect([made.statusCode, made.json().remarks]).toEqual([
    201,
    ['It was made from the template Templates/Book.md.'],
  ]);
  expect(readFileSync(join(garden.root, 'Books/Ulysses.md'), 'utf8')).toBe(
    '---\ntype: book\ntags: [book]\npages: 730\n---\n# Ulysses\n',
  );
  expect((await send('PUT', url, body, isNew)).statusCode).toBe(412);
  expect((await send('PUT', '/v1/notes/Elsewhere.md', {}, isNew)).json().code).toBe('bad_input');
});

it('the same holds for a batch, which says so for each operation', async () => {
  const answer = await send('POST', '/v1/batch', {
    operations: [{ path: 'Books/Emma.md', content: '# Emma\n' }],
    atomic: true,
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.json()).toMatchObject({
    code: 'batch_refused',
    operations: [{ op: 0, code: 'schema_violation', breaches: [{ field: 'type', example: 'type: book' }] }],
  });
});
