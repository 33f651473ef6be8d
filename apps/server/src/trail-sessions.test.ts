import { parseTrailRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legacy, RawMcp } from './mcp/testing/raw-mcp.ts';
import { type ServedGarden, serveGarden } from './testing/serve-garden.ts';

const SESSIONS = 50;
const ROUNDS = 6;
const WITHOUT = { 'Compost.md': null, 'Tomatoes.md': null, 'Private/Diary.md': null, 'Broken.md': null };

/** One who holds a trail of their own, in a session of their own. */
interface Guest {
  readonly number: number;
  readonly trail: string;
  readonly token: string;
  readonly mcp: RawMcp;
  readonly headers: Record<string, string>;
}

/** A word that only notes of one trail hold. */
const wordOf = (number: number): string =>
  `quince${String.fromCodePoint(97 + (number % 26), 97 + Math.floor(number / 26))}x`;

let garden: ServedGarden;
let guests: readonly Guest[];
beforeAll(async () => {
  const notes = Array.from({ length: SESSIONS }, (_, number) => [
    [
      `Shared/Plan ${number}.md`,
      `---\ntags: [club/${number}]\n---\nshared words of ${wordOf(number)}, see [[Plan ${(number + 1) % SESSIONS}]]\n`,
    ],
    [`Rooms/${number}/Log.md`, `#club/${number} shared words, ${wordOf(number)} again\n`],
    [
      `Rooms/${number}/Secret.md`,
      `---\ntags: [club/${number}]\nprivate: true\n---\nshared sorrow of ${wordOf(number)}\n`,
    ],
  ]).flat();
  garden = await serveGarden({ ...WITHOUT, ...Object.fromEntries(notes) });
  const url = await garden.listen();
  const vault = garden.opened.slug;
  guests = await Promise.all(
    Array.from({ length: SESSIONS }, async (_, number): Promise<Guest> => {
      const rules = parseTrailRules({ allowTags: [`club/${number}`] });
      const { trail, token } = garden.control.trails.create({
        name: `Club ${number}`,
        vault,
        rules,
        reads: 0,
      });
      const mcp = new RawMcp(`${url}/mcp`, token);
      return { number, trail: trail.id, token, mcp, headers: { 'mcp-session-id': await mcp.session() } };
    }),
  );
});
afterAll(() => garden.close());

function own({ number }: Guest): string[] {
  return [`Rooms/${number}/Log.md`, `Shared/Plan ${number}.md`];
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every tool are looked into.
type Loose = any;

/** Asks by one way or another, and gives the paths that were answered, with all that was said. */
async function ask(guest: Guest, way: number): Promise<{ paths: string[]; said: string }> {
  const { mcp, headers, token, number } = guest;
  const tool = async (name: string, input: object): Promise<Loose> =>
    (await mcp.result(legacy('tools/call', { name, arguments: input }), { headers })).structuredContent;
  const listed = (list: readonly { path: string }[]): string[] => list.map(({ path }) => path).sort();
  const rest = async (url: string): Promise<Loose> =>
    (await garden.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).json();
  const said = (answer: Loose, paths: string[]) => ({ paths, said: JSON.stringify(answer) });
  switch (way % 6) {
    case 0: {
      const answer = await tool('query', { query: 'shared words', limit: 50 });
      return said(answer, listed(answer.hits));
    }
    case 1: {
      const answer = await tool('list_notes', { limit: 200 });
      return said(answer, listed(answer.notes));
    }
    case 2: {
      const answer = await tool('multi_get', { paths: '**/*.md' });
      return said(answer, listed(answer.notes));
    }
    case 3: {
      const answer = await mcp.result(legacy('resources/list', {}), { headers });
      return said(
        answer,
        answer.resources
          .map(({ name }: Loose) => name)
          .filter((name: string) => name.endsWith('.md'))
          .sort(),
      );
    }
    case 4: {
      const answer = await rest(`/v1/query?query=${wordOf(number)}`);
      return said(answer, listed(answer.hits));
    }
    default: {
      const answer = await rest('/v1/notes?sort=path');
      return said(answer, listed(answer.notes));
    }
  }
}

describe(`${SESSIONS} sessions with trails of their own, all at once`, () => {
  it('are each answered from their own notes alone', { timeout: 240_000 }, async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all(
        guests.map(async (guest) => {
          const { paths, said } = await ask(guest, round + guest.number);
          expect(paths).toEqual(own(guest));
          const others = guests.filter(({ number }) => number !== guest.number);
          for (const { number } of others) expect(said).not.toContain(wordOf(number));
          expect(said).not.toContain('sorrow');
        }),
      );
  });

  it('end each for themselves: by disabling, removing, narrowing', { timeout: 240_000 }, async () => {
    const [disabled, removed, narrowed, ...others] = guests as [Guest, Guest, Guest, ...Guest[]];
    const running = others.map((guest) => ask(guest, guest.number));
    garden.control.trails.disable(disabled.trail);
    garden.control.trails.remove(removed.trail);
    const rules = parseTrailRules({ allowTags: [`club/${narrowed.number}`], denyPaths: ['Rooms'] });
    garden.control.trails.update(narrowed.trail, { rules });
    for (const { token } of [disabled, removed]) {
      const { statusCode } = await garden.app.inject({
        url: '/v1/notes',
        headers: { authorization: `Bearer ${token}` },
      });
      expect(statusCode).toBe(401);
    }
    for (const { mcp, headers } of [disabled, removed])
      expect((await mcp.send(legacy('tools/list', {}), { headers })).status).toBe(401);
    const { notes } = (
      await garden.app.inject({ url: '/v1/notes', headers: { authorization: `Bearer ${narrowed.token}` } })
    ).json();
    expect(notes.map(({ path }: Loose) => path)).toEqual([`Shared/Plan ${narrowed.number}.md`]);
    for (const [at, answer] of (await Promise.all(running)).entries())
      expect(answer.paths).toEqual(own(others[at]!));
    for (const guest of others) expect((await ask(guest, guest.number)).paths).toEqual(own(guest));
  });
});
