import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { type RunningServer, startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

/** Each command is a process of its own, of which a busy machine runs one in many seconds. */
const PATIENT = { timeout: 600_000 };

let scratch: Scratch;
let args: string[];
let server: RunningServer;
beforeAll(async () => {
  scratch = makeScratch();
  scratch.write('Garden/Plan.md', '---\ntags: [garden]\n---\n# Plan\n\nAs in [[Diary]].\n');
  args = ['--vault', scratch.vault, '--data', scratch.data];
  server = await startServer(args);
});
afterAll(async () => {
  await server.stop();
  scratch.remove();
});

async function trails(...words: string[]): ReturnType<typeof runGrove> {
  return await runGrove(['trails', ...words, ...args]);
}

/** The answer in JSON of a command that goes well. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
async function told(...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await trails(...words, '--json');
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** What a token is shown of the server that runs: a status, and the paths of notes. */
async function shown(token: string): Promise<{ status: number; paths: string[] }> {
  const answer = await server.get('/v1/notes?sort=path', token);
  const { notes = [] } = (await answer.json()) as { readonly notes?: readonly { readonly path: string }[] };
  return { status: answer.status, paths: notes.map(({ path }) => path) };
}

describe('grove trails', PATIENT, () => {
  it('shares a part of the vault that a server serves, and shows token and link once', async () => {
    const { code, stdout, stderr } = await trails(
      'create',
      'Allotment',
      '--allow-tags',
      'garden',
      '--expires',
      '30d',
    );
    expect(code).toBe(0);
    const [token, link, ...rest] = stdout.split('\n');
    expect(token).toMatch(/^grove_[\w-]{43}$/);
    expect(link).toMatch(new RegExp(`^${server.told.url}/invite/invite_[\\w-]{43}$`));
    expect(rest).toEqual(['']);
    expect(stderr).toMatch(
      /^Made the trail "Allotment" of my-garden: tags garden; 60 reads, 0 writes a minute;/,
    );
    expect(stderr).toMatch(/^It shows 3 notes of 7\.$/m);
    expect(stderr).toMatch(/^1 place in them name notes that it does not show\.$/m);
    expect(await shown(token ?? '')).toEqual({
      status: 200,
      paths: ['Garden/Compost.md', 'Garden/Plan.md', 'Garden/Tomatoes.md'],
    });
    expect((await trails('create', 'Allotment', '--allow-tags', 'x')).stderr).toContain('Allotment');
  });

  it('lists trails on lines of their own, and no token among the keys', async () => {
    await told('create', 'Listed', '--allow-paths', 'Garden, Daily', '--deny-tags', 'garden/soil');
    const { stdout } = await trails('list');
    const row = stdout.split('\n').find((line) => line.includes(' Listed '));
    expect(row).toMatch(
      /^t_\S+ +Listed +not tags garden\/soil; paths Garden,Daily +60 reads, 0 writes +just now +never +never +live$/,
    );
    const keys = await runGrove(['keys', 'list', ...args, '--json']);
    expect(keys.stdout).not.toContain('"trail":"t_');
  });

  it('ends at once with disable and delete, and goes on with enable', async () => {
    const { token, trail } = await told('create', 'Switched', '--allow-paths', 'Daily');
    expect((await shown(token)).status).toBe(200);
    expect((await trails('disable', 'Switched')).stdout).toContain('Disabled the trail "Switched"');
    expect((await shown(token)).status).toBe(401);
    await trails('enable', trail.id);
    expect((await shown(token)).status).toBe(200);
    await trails('delete', 'Switched');
    expect((await shown(token)).status).toBe(401);
    expect((await trails('show', 'Switched')).stderr).toContain('There is no trail "Switched"');
  });

  it('changes what is named, and clears a list only by name', async () => {
    const { token } = await told('create', 'Changed', '--allow-tags', 'garden', '--deny-types', 'plant');
    const empty = await trails('update', 'Changed', '--deny-types', '');
    expect(empty.stderr).toContain('--deny-types names nothing');
    const { trail } = await told(
      'update',
      'Changed',
      '--clear',
      'deny-types',
      '--reads',
      '5',
      '--name',
      'Other',
    );
    expect(trail).toMatchObject({ name: 'Other', allow_tags: ['garden'], deny_types: [], reads: 5 });
    expect((await shown(token)).paths).toContain('Garden/Tomatoes.md');
    expect((await trails('update', 'Other', '--clear', 'tags')).stderr).toContain('--clear takes');
    expect((await trails('update', 'Other', '--clear', 'allow-tags')).stderr).toContain(
      'share the whole vault',
    );
  });

  it('previews what it shows, and why a note is in or out', async () => {
    await told('create', 'Previewed', '--allow-tags', 'garden');
    const { stdout } = await trails('preview', 'Previewed', 'Diary');
    expect(stdout).toMatch(/^Private\/Diary\.md is out\. It has none of the tags/);
    expect(stdout).toMatch(/^ {2}Garden\/Compost\.md$/m);
    expect(stdout).toMatch(/Garden\/Plan\.md:\d+ says ".*Diary.*", which names Private\/Diary\.md/);
    const answer = await told('preview', 'Previewed', 'Compost');
    expect(answer).toMatchObject({ visible: 3, hidden: 4, verdict: { visible: true } });
    expect((await trails('preview', 'Previewed', 'Nowhere')).code).toBe(1);
  });

  it('tells what a trail would show before it is made', async () => {
    const { code, stdout } = await trails('create', 'Planned', '--allow-tags', 'garden/soil', '--dry-run');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'The trail "Planned" would show 1 note of 7.\n  Garden/Compost.md\n',
    });
    expect((await trails('show', 'Planned')).code).toBe(1);
  });

  it('says what is missing where writing is half allowed', async () => {
    const half = await trails('create', 'Half', '--allow-tags', 'garden', '--write-folders', 'Garden/Inbox');
    expect(half.stderr).toContain('say how many calls a minute may, with --writes');
    const whole = await trails('update', 'Half', '--writes', '5');
    expect(whole.stdout).toContain('60 reads, 5 writes a minute');
    expect(whole.stdout).not.toContain('--writes');
    const other = await trails('update', 'Half', '--clear', 'write-folders');
    expect(other.stdout).toContain('name the folders in which it may, with --write-folders');
  });

  it('gives further tokens and links', async () => {
    const { trail, invite_url } = await told('create', 'Further', '--allow-tags', 'garden');
    const token = await trails('token', 'Further', '--name', 'Ada');
    expect((await shown(token.stdout.trim())).status).toBe(200);
    const { key } = await told('token', 'Further');
    expect(key).toMatchObject({ name: 'token 2', trail: trail.id });
    const { tokens } = await told('show', 'Further');
    expect(tokens.map(({ name }: { readonly name: string }) => name)).toEqual(['token 2', 'Ada', 'token']);
    const link = (await trails('invite', 'Further')).stdout.trim();
    expect(link).toMatch(/\/invite\/invite_[\w-]{43}$/);
    expect(link).not.toBe(invite_url);
    const ended = await runGrove(['keys', 'revoke', key.id, ...args]);
    expect(ended.stdout).toContain('Revoked the key "token 2"');
  });

  it('tells how it was used', async () => {
    const { token } = await told('create', 'Used', '--allow-tags', 'garden');
    expect((await trails('usage', 'Used')).stdout).toBe('The trail "Used" was not used.\n');
    expect(await told('usage', 'Used', '--since', '7d')).toMatchObject({ calls: 0, days: [] });
    await server.get('/v1/query?q=compost', token);
    await server.get('/v1/notes/Private/Diary.md', token);
    // The server writes it down within a second.
    let usage = await told('usage', 'Used');
    while (usage.calls < 2) usage = await told('usage', 'Used');
    expect(usage).toMatchObject({ calls: 2, refused: 1, days: [{ calls: 2, refused: 1 }] });
    const { stdout } = await trails('usage', 'Used');
    expect(stdout).toMatch(/^The trail "Used": 2 calls, \d+ notes? in answers, 1 refused, last just now\.$/m);
    const audit = await runGrove(['audit', '--trail', 'Used', ...args]);
    expect(audit.stdout).toMatch(/Used +get +rest +[\d.]+ +0 +\d* +note_not_found$/m);
    expect(audit.stdout).not.toContain('Diary');
  });

  it.each([
    [['create', 'x'], 'share the whole vault'],
    [['create', 'x', '--allow-tags', '#'], 'the tag is empty'],
    [['create', 'x', '--allow-paths', '/etc'], '/etc'],
    [['create', 'x', '--allow-types', 'plnt'], 'did you mean "plant"'],
    [['create', 'x', '--allow-tags', ' , '], '--allow-tags names nothing'],
    [['create', 'x', '--allow-tags', 'a', '--expires', 'soon'], 'soon'],
    [['create', 'x', '--allow-tags', 'a', '--write-folders', 'A/*'], 'without a star'],
    [['create', ' ', '--allow-tags', 'a'], 'name'],
    [['delete', 'nobody'], 'nobody'],
  ])('refuses %j and writes nothing', async (words, said) => {
    const ids = async (): Promise<string[]> =>
      (await told('list')).trails.map(({ id }: { readonly id: string }) => id);
    const before = await ids();
    const { code, stdout, stderr } = await trails(...words);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(said);
    expect(await ids()).toEqual(before);
  });
});

describe('grove trails where no server runs', PATIENT, () => {
  it('judges the rules by the vault all the same, and names where the link would lead', async () => {
    const own = makeScratch();
    const where = ['--vault', own.vault, '--data', own.data];
    const wrong = await runGrove(['trails', 'create', 'x', '--allow-types', 'plnt', ...where]);
    expect(wrong.stderr).toContain('did you mean "plant"');
    const made = await runGrove(['trails', 'create', 'Plants', '--allow-types', 'Plant', ...where], {
      env: { GROVE_PUBLIC_URL: 'https://notes.example.org' },
    });
    expect(made.stdout).toContain('\nhttps://notes.example.org/invite/invite_');
    expect(made.stderr).toContain('It shows 1 note of 6.');
    own.remove();
  });
});
