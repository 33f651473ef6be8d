import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedGarden, serveGarden } from '../../testing/serve-garden.ts';
import { legacy, legacyCall, RawMcp } from '../testing/raw-mcp.ts';

const WORDS = 'the quick brown fox jumps over a lazy dog while it rains in the garden'.split(' ');
/** Prose of no repeated sentence, so that a tokenizer has something to do. */
const prose = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, at) => WORDS[(at * 7 + seed * 13 + (at >> 3)) % WORDS.length]).join(' ');

let garden: ServedGarden;
let url: string;
beforeAll(async () => {
  const notes = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `Area ${at % 7}/A note with a rather long and telling name ${at}.md`,
      `---\ntags: [area/${at % 7}, fox]\nstatus: growing\n---\n# Title of the note number ${at}\n\n${prose(at, 600)}\n`,
    ]),
  );
  garden = await serveGarden({ ...notes, 'Long.md': `# Long\n\n${prose(1, 60_000)}\n` });
  await garden.opened.writes.switch(true);
  url = `${await garden.listen()}/mcp`;
});
afterAll(() => garden.close());

const tokens = (value: unknown): number =>
  encode(typeof value === 'string' ? value : JSON.stringify(value)).length;

describe('what a model has to read', () => {
  it.each(['notes', 'search'])('is little for the list of tools of profile %s', async (profile) => {
    const mcp = new RawMcp(`${url}?profile=${profile}`, garden.key({ scopes: ['read', 'append', 'write'] }));
    const { tools } = await mcp.result(legacy('tools/list'));
    expect(tools).toHaveLength(profile === 'notes' ? 6 : 2);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(12 * 1024);
    expect(tokens({ tools })).toBeLessThan(3_000);
  });

  it.each([
    ['query', { query: 'fox' }, 'cursor'],
    ['query', { query: 'fox', return: 'passages' }, 'cursor'],
    ['list_notes', {}, 'cursor'],
    ['list_notes', { of: 'tags' }, null],
    ['get', { path: 'Long.md' }, 'next_offset'],
    ['multi_get', { paths: '**' }, 'cursor'],
    ['vault_status', {}, null],
  ])('is bounded for %s %j, and what is left out can be asked for', async (name, input, goOn) => {
    const mcp = new RawMcp(url, garden.key());
    const { content, structuredContent } = await mcp.result(legacyCall(name, input));
    expect(tokens(content[0].text)).toBeLessThan(8_000);
    expect(tokens(structuredContent)).toBeLessThan(8_000);
    if (goOn !== null) expect(structuredContent[goOn]).toBeDefined();
  });
});
