import { encodePath, type VaultPath } from '@grove/core';
import type { Heard, Loose, TrailGuest } from './trail-guest.ts';
import { Verdicts } from './verdicts.ts';

/** A generated note: `Note 7.md` in some folder, with `# Heading 7` and the word `common` in its text. */
export interface JudgedNote {
  readonly path: string;
  readonly text: string;
  readonly tags: readonly string[];
}

/** Notes that one call of multi-get may name. */
export const BATCH = 50;
/** Names that stand in a note itself and in what is told of it: links to notes have no `.md`. */
const NAMED = /Heading(?: |%20|\+)(\d+)|Note(?: |%20|\+)(\d+)\.md/g;

/**
 * Compares all that a guest is answered, by the tools, the resources, the prompts, the profile of search and REST, with what an oracle
 * says. Lists and counts are compared for all notes; ways that name notes, for those that `isPicked` picks.
 * Every answer is looked through for notes that are not shown and that were not asked for.
 *
 * @param isShown the oracle
 * @param guestOf makes the guest, whose answers go to the listener
 * @example (await judgeAnswers(notes, isShown, () => true, guestOf)).filter(({ leaked }) => leaked.length > 0)
 */
export async function judgeAnswers<Note extends JudgedNote>(
  notes: readonly Note[],
  isShown: (note: Note) => boolean,
  isPicked: (at: number) => boolean,
  guestOf: (onAnswer: (heard: Heard) => void) => TrailGuest,
): Promise<Verdicts> {
  const shown = notes.filter(isShown);
  const verdicts = new Verdicts();
  const numbers = new Set(shown.map(({ path }) => numbersIn(path)[0]));
  const guest = guestOf(({ asked, said }) => {
    const known = new Set(numbersIn(asked));
    verdicts.lists(
      'all that was said',
      numbersIn(said).filter((number) => !numbers.has(number) && !known.has(number)),
      [],
    );
  });
  await judgeLists(guest, shown, verdicts);
  await judgeBatches(guest, notes, new Set(shown), isPicked, verdicts);
  const paths = new Set(shown.map(({ path }) => path));
  for (const note of notes.filter((_, at) => isPicked(at))) {
    await judgeReading(guest, note, paths.has(note.path), verdicts);
    await judgeFinding(guest, note, paths, verdicts);
  }
  return verdicts;
}

function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(NAMED), ([, heading, note]) => heading ?? note ?? '');
}

const pathsOf = (list: readonly { readonly path: string }[] = []): string[] => list.map(({ path }) => path);

/** What all pages hold, each asked for with the cursor of the one before. */
async function allPages(
  page: (cursor: object) => Promise<Loose>,
  itemsOf: (answer: Loose) => string[],
): Promise<string[]> {
  const items: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const answer = await page(cursor === undefined ? {} : { cursor });
    items.push(...itemsOf(answer));
    cursor = answer.cursor ?? answer.nextCursor;
    if (cursor === undefined) return items;
  }
}

const json = (response: Loose): Loose => response.json();
const withQuery = (url: string, fields: Readonly<Record<string, string>>): string =>
  `${url}?${new URLSearchParams(fields)}`;

async function judgeLists(
  guest: TrailGuest,
  shown: readonly JudgedNote[],
  verdicts: Verdicts,
): Promise<void> {
  const wanted = pathsOf(shown);
  const list = async (way: string, page: (cursor: object) => Promise<Loose>, of: string): Promise<void> =>
    verdicts.lists(way, await allPages(page, (answer) => pathsOf(answer[of])), wanted);
  const many = { query: 'common', limit: 50, max_chars: 20_000 };
  await list('list_notes', (cursor) => guest.tool('list_notes', { limit: 200, ...cursor }), 'notes');
  await list('query', (cursor) => guest.tool('query', { ...many, ...cursor }), 'hits');
  await list(
    'multi_get',
    (cursor) => guest.tool('multi_get', { paths: '**/*.md', format: 'map', ...cursor }),
    'notes',
  );
  await list(
    'GET /v1/notes',
    async (cursor) => json(await guest.rest(withQuery('/v1/notes', { limit: '200', ...cursor }))),
    'notes',
  );
  await list(
    'POST /v1/query',
    async (cursor) => json(await guest.rest('/v1/query', {}, { ...many, ...cursor })),
    'hits',
  );
  verdicts.lists(
    'resources/list',
    await allPages(
      (cursor) => guest.rpc('resources/list', cursor),
      ({ resources }) => resources.map(({ name }: Loose) => name),
    ),
    ['tags', 'status', ...wanted],
  );
  const literal = { searches: [{ type: 'text', query: 'common' }], limit: 5 };
  verdicts.counts('query', (await guest.tool('query', literal)).total, wanted.length);
  verdicts.counts('vault_status', (await guest.tool('vault_status', {})).notes, wanted.length);
  verdicts.counts('GET /v1/status', json(await guest.rest('/v1/status')).notes, wanted.length);
  verdicts.counts('completion', (await complete(guest, '')).total, wanted.length);
  verdicts.counts('completion of a prompt', (await complete(guest, '', START)).total, wanted.length);
  const status = await guest.rpc('resources/read', { uri: 'vault://status' });
  const [, counted = ''] = /(\d[\d,]*) notes? in/.exec(status.contents[0].text) ?? [];
  verdicts.counts('vault://status', Number(counted.replaceAll(',', '')), wanted.length);
  const tags = tagsOf(shown);
  const { contents } = await guest.rpc('resources/read', { uri: 'vault://tags' });
  verdicts.lists('vault://tags', groupsOf(JSON.parse(contents[1].text)), tags);
  verdicts.lists(
    'list_notes of tags',
    groupsOf(await guest.tool('list_notes', { of: 'tags', limit: 200 })),
    tags,
  );
  verdicts.lists('GET /v1/tags', groupsOf(json(await guest.rest('/v1/tags?limit=200'))), tags);
}

/** Tags and the tags above them, each with how many notes have it. */
function tagsOf(shown: readonly JudgedNote[]): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of shown) {
    const levels = tags.flatMap((tag) => {
      const parts = tag.toLowerCase().split('/');
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    });
    for (const level of new Set(levels)) counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].map(([name, notes]) => `${name}: ${notes}`);
}

function groupsOf({ groups = [] }: Loose): string[] {
  return groups.map(({ name, notes }: Loose) => `${name.toLowerCase()}: ${notes}`);
}

/** Notes that are picked are named with those around them, shown or not; in turns over MCP and REST. */
async function judgeBatches(
  guest: TrailGuest,
  notes: readonly JudgedNote[],
  shown: ReadonlySet<JudgedNote>,
  isPicked: (at: number) => boolean,
  verdicts: Verdicts,
): Promise<void> {
  for (let from = 0; from < notes.length; from += BATCH) {
    const batch = notes.slice(from, from + BATCH);
    if (!batch.some((_, at) => isPicked(from + at))) continue;
    const input = { paths: pathsOf(batch), format: 'map' };
    const isRest = (from / BATCH) % 2 === 1;
    const ask = async (cursor: object): Promise<Loose> =>
      isRest
        ? json(await guest.rest('/v1/multi-get', {}, { ...input, ...cursor }))
        : await guest.tool('multi_get', { ...input, ...cursor });
    const told: string[] = [];
    const refused: string[] = [];
    await allPages(ask, ({ notes: found, errors = [] }) => {
      told.push(...pathsOf(found));
      for (const { asked, error } of errors) if (error.code === 'note_not_found') refused.push(asked);
      return [];
    });
    const way = isRest ? 'POST /v1/multi-get, named' : 'multi_get, named';
    verdicts.lists(way, told, pathsOf(batch.filter((note) => shown.has(note))));
    verdicts.counts(way, refused.length, batch.filter((note) => !shown.has(note)).length);
  }
}

async function judgeReading(
  guest: TrailGuest,
  { path, text }: JudgedNote,
  isShown: boolean,
  verdicts: Verdicts,
): Promise<void> {
  const judge = (way: string, isTold: boolean): void =>
    verdicts.lists(way, isTold ? [path] : [], isShown ? [path] : []);
  const url = `/v1/notes/${encodePath(path as VaultPath)}`;
  judge('get', (await guest.tool('get', { path, include: ['links', 'backlinks', 'history'] })).path === path);
  judge('fetch', (await guest.tool('fetch', { id: path }, 'search'))?.id === path);
  judge('vault_status, a path', (await guest.tool('vault_status', { path })).file.status === 'indexed');
  const read = await guest.rpc('resources/read', { uri: `vault://note/${encodePath(path as VaultPath)}` });
  judge('resources/read', read?.contents[0].text === text);
  // A note is known by its exact path; what else is typed is looked for as a folder.
  const mended = await guest.rpc('prompts/get', { name: 'tend', arguments: { target: path } });
  judge('prompts/get', !mended.messages[0].content.text.includes('If it is a folder'));
  const answered = await guest.rest(url);
  judge('GET /v1/notes/{path}', answered.statusCode !== 404);
  const raw = await guest.rest(url, { accept: 'text/markdown' });
  judge('GET /v1/notes/{path}, Markdown', raw.statusCode !== 404 && raw.body === text);
  const status = json(await guest.rest(withQuery('/v1/status', { path })));
  judge('GET /v1/status, a path', status.file.status === 'indexed');
}

async function judgeFinding(
  guest: TrailGuest,
  { path }: JudgedNote,
  shown: ReadonlySet<string>,
  verdicts: Verdicts,
): Promise<void> {
  const [number = ''] = numbersIn(path);
  const words = `"Heading ${number}"`;
  // Others that are shown may be found as well: only the one, and what is hidden, is decided here.
  const judge = (way: string, found: readonly string[]): void =>
    verdicts.lists(
      way,
      found.filter((other) => other === path || !shown.has(other)),
      shown.has(path) ? [path] : [],
    );
  const { results } = await guest.tool('search', { query: words }, 'search');
  judge(
    'search',
    results.map(({ id }: Loose) => id),
  );
  judge('query, one note', pathsOf((await guest.tool('query', { query: words })).hits));
  judge('GET /v1/query', pathsOf(json(await guest.rest(withQuery('/v1/query', { query: words }))).hits));
  const typed = `note ${number}.`;
  const completed = [...shown].filter((other) => other.toLowerCase().includes(typed));
  verdicts.lists('completion', (await complete(guest, typed)).values, completed);
  verdicts.lists('completion of a prompt', (await complete(guest, typed, START)).values, completed);
}

/** What completes the name of a note. */
interface Completing {
  readonly ref: Readonly<Record<string, string>>;
  readonly name: string;
}

const ADDRESS: Completing = { ref: { type: 'ref/resource', uri: 'vault://note/{+path}' }, name: 'path' };
const START: Completing = { ref: { type: 'ref/prompt', name: 'wander' }, name: 'from' };

async function complete(guest: TrailGuest, value: string, { ref, name } = ADDRESS): Promise<Loose> {
  const { completion } = await guest.rpc('completion/complete', { ref, argument: { name, value } });
  return completion;
}
