import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type SendWrite, sendWrites } from '../testing/send-writes.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

const NOTE = '# Plan\n\n## One\n\none\n\n## Two\n\ntwo\n';

let garden: ServedGarden;
let ask: Ask;
let send: SendWrite;
beforeAll(async () => {
  garden = await serveGarden({ 'Sections.md': NOTE, 'Same.md': NOTE });
  await garden.opened.writes.switch(true);
  ask = askWith(garden.app, garden.key({ scopes: ['write'] }));
  send = sendWrites(ask);
});
afterAll(() => garden.close());

const onDisk = (path: string): string => readFileSync(join(garden.root, path), 'utf8');
const sectionTag = async (path: string, section: string) =>
  String((await ask(`/v1/notes/${path}?section=${section}`)).json().section_hash);

describe('two writers who read the same version', () => {
  it('both land where each changes a section of its own', async () => {
    const [one, two] = [await sectionTag('Sections.md', 'One'), await sectionTag('Sections.md', 'Two')];
    const answers = await Promise.all([
      send('PATCH', '/v1/notes/Sections.md', {
        action: 'replace',
        section: 'One',
        content: 'first',
        if_hash: one,
      }),
      send('PATCH', '/v1/notes/Sections.md', {
        action: 'replace',
        section: 'Two',
        content: 'second',
        if_hash: two,
      }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(onDisk('Sections.md')).toBe(NOTE.replace('one\n', 'first\n').replace('two\n', 'second\n'));
  });

  it('land once where both write the same part: the other is told 412 and loses nothing', async () => {
    const etag = String((await ask('/v1/notes/Same.md')).headers.etag);
    const answers = await Promise.all(
      ['by the first', 'by the second'].map((content) =>
        send(
          'PATCH',
          '/v1/notes/Same.md',
          { action: 'replace', section: 'One', content },
          { 'if-match': etag },
        ),
      ),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412]);
    const landed = answers[0]?.statusCode === 200 ? 'by the first' : 'by the second';
    expect(onDisk('Same.md')).toBe(NOTE.replace('one\n', `${landed}\n`));
    const refused = answers.find(({ statusCode }) => statusCode === 412)?.json();
    expect(refused).toMatchObject({ code: 'stale_hash', hint: expect.any(String) });
  });
});
