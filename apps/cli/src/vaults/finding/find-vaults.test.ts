import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder, writeFiles } from '@grove/testing';
import { locateState } from '@grove/vault';
import { describe, expect, it } from 'vitest';
import { runGrove } from '../../testing/processes.ts';
import { findVaults } from './find-vaults.ts';
import { pathOfCopy } from './logseq.ts';
import { isOfSystem } from './of-system.ts';
import { workspacesIn } from './openclaw.ts';

/** A home with nothing in it, and what was found there. */
function machine(platform: NodeJS.Platform = 'linux') {
  const home = temporaryFolder('a home');
  const environment = { HOME: home, APPDATA: join(home, 'AppData/Roaming') };
  return {
    home,
    find: (more: Readonly<Record<string, string>> = {}) =>
      findVaults({ environment: { ...environment, ...more }, platform }, join(home, 'data')),
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function obsidianList(...paths: readonly string[]): string {
  return JSON.stringify({
    vaults: Object.fromEntries(paths.map((path, at) => [`id${at}`, { path, ts: at }])),
  });
}

describe('findVaults', () => {
  it.each([
    ['linux', '.config/obsidian/obsidian.json'],
    ['linux', '.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json'],
    ['linux', 'snap/obsidian/current/.config/obsidian/obsidian.json'],
    ['darwin', 'Library/Application Support/obsidian/obsidian.json'],
    ['win32', 'AppData/Roaming/obsidian/obsidian.json'],
  ] as const)('finds vaults of Obsidian on %s in %s', async (platform, place) => {
    const { home, find } = machine(platform);
    const root = join(home, 'My Notes');
    writeFiles(root, {
      'A.md': 'a',
      'B/C.MD': 'c',
      'B/picture.png': '',
      '.trash/D.md': 'd',
      '.git/HEAD': '',
    });
    put(join(home, place), obsidianList(root));
    const { slug } = await locateState(join(home, 'data'), root);
    expect(await find()).toEqual({
      vaults: [
        {
          path: root,
          name: 'My Notes',
          kind: 'obsidian',
          notes: 2,
          counted: true,
          git: true,
          known: slug,
          foundIn: join(home, place),
        },
      ],
      remarks: [],
    });
  });

  it('finds graphs of Logseq that were opened, and those in the usual places', async () => {
    const { home, find } = machine();
    writeFiles(join(home, 'elsewhere/Graph'), { 'pages/A.md': 'a' });
    const copy = join(home, 'elsewhere/Graph').replaceAll('/', '++');
    put(join(home, '.logseq/graphs', `logseq_local_${copy}.transit`), '');
    writeFiles(join(home, 'Documents/Garden'), { 'logseq/config.edn': '{}', 'journals/2026_11_30.md': 'j' });
    writeFiles(join(home, 'Documents/Other'), { 'A.md': 'a' });
    const { vaults } = await find();
    expect(vaults).toMatchObject([
      { path: join(home, 'elsewhere/Graph'), kind: 'logseq', notes: 1, git: false, known: null },
      { path: join(home, 'Documents/Garden'), kind: 'logseq', notes: 1 },
    ]);
    expect(pathOfCopy('logseq_local_C+3A+++Users++ann++Graph.transit')).toBe(null);
    expect(pathOfCopy('logseq_db_graph.transit')).toBe(null);
  });

  it('finds workspaces of OpenClaw: the usual ones, those of profiles and agents, and what its file names', async () => {
    const { home, find } = machine();
    for (const place of [
      '.openclaw/workspace',
      '.openclaw/workspace-work',
      '.openclaw-lab/workspace',
      'mine',
      'set',
    ])
      writeFiles(join(home, place), { 'AGENTS.md': 'a' });
    put(
      join(home, '.openclaw/openclaw.json'),
      "// mine\n{ agents: { defaults: { workspace: '~/mine', }, }, workspaceAccess: 'rw' }\n",
    );
    const { vaults, remarks } = await find({ OPENCLAW_WORKSPACE_DIR: join(home, 'set') });
    expect(vaults.map(({ path }) => path.slice(home.length + 1)).sort()).toEqual([
      '.openclaw-lab/workspace',
      '.openclaw/workspace',
      '.openclaw/workspace-work',
      'mine',
      'set',
    ]);
    expect(vaults.every(({ kind }) => kind === 'openclaw')).toBe(true);
    expect(remarks).toEqual([]);
    expect(workspacesIn('{"agents": {"defaults": {"workspace": "relative"}}}', home)).toEqual([]);
  });

  it('tells a folder once that several programs name', async () => {
    const { home, find } = machine();
    writeFiles(join(home, 'Documents/Both'), { 'logseq/config.edn': '{}', 'A.md': 'a' });
    put(join(home, '.config/obsidian/obsidian.json'), obsidianList(join(home, 'Documents/Both')));
    expect((await find()).vaults).toMatchObject([{ kind: 'obsidian', path: join(home, 'Documents/Both') }]);
  });

  it('says in a sentence what is gone, and what cannot be understood', async () => {
    const { home, find } = machine();
    const list = join(home, '.config/obsidian/obsidian.json');
    put(join(home, 'file'), '');
    put(list, obsidianList(join(home, 'gone'), join(home, 'file')));
    expect(await find()).toEqual({
      vaults: [],
      remarks: [
        `${join(home, 'gone')} is not there (named in ${list}).`,
        `${join(home, 'file')} is no folder (named in ${list}).`,
      ],
    });
  });

  it.each([
    ['half a file', '{"vaults": {'],
    ['a list', '[]'],
    ['null', 'null'],
    ['vaults that are none', '{"vaults": "all"}'],
    ['too much', `{"vaults": {}, "x": "${'x'.repeat(1024 * 1024)}"}`],
    ['bytes that are no text', '\ud800'],
  ])('goes on beside a list that is %s', async (_what, text) => {
    const { home, find } = machine();
    const list = join(home, '.config/obsidian/obsidian.json');
    put(list, '');
    writeFileSync(list, text === '\ud800' ? Buffer.from([0xff]) : text);
    writeFiles(join(home, '.openclaw/workspace'), { 'A.md': 'a' });
    const { vaults, remarks } = await find();
    expect(vaults).toMatchObject([{ kind: 'openclaw' }]);
    expect(remarks).toEqual([expect.stringContaining(list)]);
  });

  it.each(['/', '/proc', '/proc/self', '/etc', '/usr/share', '/tmp'])(
    'offers nothing at %s',
    async (path) => {
      const { home, find } = machine();
      const list = join(home, '.config/obsidian/obsidian.json');
      put(list, obsidianList(path));
      expect(await find()).toEqual({
        vaults: [],
        remarks: [expect.stringContaining('is a folder of the system')],
      });
    },
  );

  it.each(['C:\\Windows\\System32', 'c:/Users', '/System/Library', '/Volumes'])(
    'knows %s for the system',
    (path) => {
      expect(isOfSystem(path)).toBe(true);
    },
  );

  it.each([
    '/home/ann',
    '/srv/notes',
    '/var/notes',
    '/run/media/ann/usb',
    '/usrnotes',
    'C:\\Users\\ann',
    '/vault',
  ])('knows %s for somebody', (path) => expect(isOfSystem(path)).toBe(false));

  it('passes over entries that name no path', async () => {
    const { home, find } = machine();
    put(
      join(home, '.config/obsidian/obsidian.json'),
      JSON.stringify({
        vaults: { a: null, b: {}, c: { path: 7 }, d: { path: 'relative' }, e: { path: 'a\0b' } },
      }),
    );
    expect(await find()).toEqual({ vaults: [], remarks: [] });
  });

  it('follows no link to look for graphs or to count notes', async () => {
    const { home, find } = machine();
    writeFiles(join(home, 'away'), { 'logseq/config.edn': '{}', 'A.md': 'a', 'B.md': 'b' });
    mkdirSync(join(home, 'Documents'));
    symlinkSync(join(home, 'away'), join(home, 'Documents/Graph'));
    symlinkSync(join(home, 'away'), join(home, 'Notes'));
    expect((await find()).vaults).toEqual([]);
    writeFiles(join(home, '.openclaw/workspace'), { 'C.md': 'c' });
    symlinkSync(join(home, 'away'), join(home, '.openclaw/workspace/linked'));
    symlinkSync(join(home, 'away/A.md'), join(home, '.openclaw/workspace/D.md'));
    expect((await find()).vaults).toMatchObject([{ notes: 1 }]);
  });

  it('ends counting somewhere', async () => {
    const { home, find } = machine();
    const notes = Object.fromEntries(Array.from({ length: 10_050 }, (_, at) => [`${at}.md`, '']));
    writeFiles(join(home, '.openclaw/workspace'), notes);
    expect((await find()).vaults).toMatchObject([{ notes: 10_000, counted: false }]);
  });
});

describe('grove vault find', () => {
  it('lists what is found, also as JSON, and says how to serve it', async () => {
    const { home } = machine();
    const root = join(home, "Ann's Notes");
    writeFiles(root, { 'A.md': 'a' });
    put(join(home, '.config/obsidian/obsidian.json'), obsidianList(root, join(home, 'gone')));
    const env = { HOME: home };
    const text = await runGrove(['vault', 'find'], { env });
    expect(text).toMatchObject({ code: 0, stderr: expect.stringContaining('is not there') });
    expect(text.stdout).toContain(`${root} (Obsidian, 1 note)\n\nServe one: `);
    const { vaults, remarks } = JSON.parse((await runGrove(['vault', 'find', '--json'], { env })).stdout);
    expect(vaults).toEqual([
      {
        path: root,
        name: "Ann's Notes",
        kind: 'obsidian',
        notes: 1,
        all_counted: true,
        git: false,
        known: null,
        found_in: join(home, '.config/obsidian/obsidian.json'),
      },
    ]);
    expect(remarks).toHaveLength(1);
  });

  it('shows what is in a path that a terminal would obey', async () => {
    const { home } = machine();
    const root = join(home, 'Notes\nServe one: rm');
    writeFiles(root, { 'A.md': 'a' });
    put(join(home, '.config/obsidian/obsidian.json'), obsidianList(root, join(home, 'gone\nfor good')));
    const { stdout, stderr } = await runGrove(['vault', 'find'], { env: { HOME: home } });
    expect(stdout).toContain('Notes\\u{a}Serve one: rm (Obsidian');
    expect(stdout).toMatch(/\nServe one: .* --vault DIR\n$/);
    expect(stderr).toContain('gone\\u{a}for good is not there');
  });

  it('says what to do where nothing is found', async () => {
    const { stdout } = await runGrove(['vault', 'find']);
    expect(stdout).toContain('start --vault DIR');
  });
});
