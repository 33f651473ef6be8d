import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, end, SystemGit } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGrove, runGroveProcess, spawnGrove } from '../testing/processes.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
beforeAll(async () => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterAll(() => scratch.remove());

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
async function json(...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await runGrove([...words, ...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('the reading verbs', () => {
  it('search with filters', async () => {
    const all = await json('search', 'tomatoes');
    expect(all.hits.map(({ path }: { path: string }) => path)).toContain('People/Ünal Öz.md');
    const filtered = await json(
      'search',
      'tomatoes',
      '--folder',
      'Garden',
      '--tag',
      'garden',
      '--tag',
      '-garden/soil',
    );
    expect(filtered.hits.map(({ path }: { path: string }) => path)).toEqual(['Garden/Tomatoes.md']);
    const lines = await json('search', '--regex', 'gr[a]ss|card.*rd');
    expect(lines.hits[0].lines).toHaveLength(2);
    const explained = await json('search', 'compost', '--limit', '1', '--explain');
    expect(explained.hits[0]).toMatchObject({ score: expect.any(Number) });
  });

  it('get, list and status', async () => {
    expect(await json('get', 'Compost#Browns')).toMatchObject({ path: 'Garden/Compost.md' });
    expect(await json('get', 'Compost', '--format', 'map')).toMatchObject({ outline: expect.any(Array) });
    expect((await json('list', 'Garden/**', '--sort', 'path')).notes).toHaveLength(2);
    const linked = ['--where', '{"!!": [{"var": "backlinks"}]}'];
    expect((await json('list', 'Garden/**', ...linked)).notes[0].path).toContain('Garden/');
    expect((await json('search', 'compost', ...linked)).hits[0].path).toContain('Garden/');
    expect((await json('list', '--of', 'tags')).groups).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'garden' })]),
    );
    expect(
      await json('list', '--of', 'tasks', '--state', 'done', '--state', 'open', '--sort', 'due'),
    ).toMatchObject({
      of: 'tasks',
      tasks: expect.any(Array),
    });
    expect(await json('status')).toMatchObject({ mode: 'health', notes: 6, state: 'ready' });
  });

  it('graph: the whole, what is near a note, and the way to another', async () => {
    expect(await json('graph')).toMatchObject({ notes: 6, bridges: { state: 'exact' } });
    const { neighbours } = await json('graph', 'Compost', '--depth', '2');
    const [first] = neighbours;
    expect(first).toMatchObject({ distance: 1, via: 'Garden/Compost.md' });
    const { route } = await json('graph', 'Compost', '--to', first.path);
    expect(route).toMatchObject([{ path: 'Garden/Compost.md' }, { path: first.path, way: first.way }]);
  });

  it('digest: the notes by stage', async () => {
    const { stages } = await json('digest', '--limit', '1');
    expect(stages[0]).toMatchObject({ stage: 'seed', notes: [expect.objectContaining({ age: 0 })] });
  });

  it('diagnostics: what is wrong, in the whole or in a folder', async () => {
    expect(await json('diagnostics', '--limit', '1')).toMatchObject({ mode: 'diagnostics', notes: 6 });
    expect(await json('diagnostics', 'Garden')).toMatchObject({ within: 'Garden', notes: 2 });
  });

  it('print text for people, without colours and without the vault folder', async () => {
    const { code, stdout } = await runGrove(['search', 'compost', ...args]);
    expect(code).toBe(0);
    expect(stdout).toContain('Garden/Compost.md');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain(scratch.folder);
  });

  it('colour headings and names when asked to', async () => {
    const { stdout } = await runGroveProcess(['search', 'compost', ...args], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain('\u001b[');
  });

  it('know the only vault of the data folder, and its short name', async () => {
    await json('status');
    for (const named of [[], ['--vault', 'my-garden']]) {
      const { code, stdout } = await runGrove(['list', '--json', '--data', scratch.data, ...named]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).total).toBe(6);
    }
  });

  it('take the vault from GROVE_VAULT, relative to where they run', async () => {
    const { code, stdout } = await runGrove(['list', '--json'], {
      env: { GROVE_VAULT: 'My Garden', GROVE_DATA: scratch.data },
      cwd: scratch.folder,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).total).toBe(6);
  });

  it('ask which vault when several are known', async () => {
    const second = makeScratch();
    try {
      await runGrove(['status', '--vault', second.vault, '--data', scratch.data]);
      const { code, stdout } = await runGrove(['list', '--json', '--data', scratch.data]);
      expect(code).toBe(1);
      expect(JSON.parse(stdout).error).toMatchObject({
        code: 'vault_required',
        next: 'Name one with --vault: my-garden, my-garden-2.',
      });
    } finally {
      second.remove();
      rmSync(join(scratch.data, 'vaults', 'my-garden-2'), { recursive: true, force: true });
    }
  });

  it('name the candidates of an ambiguous name, here and through the owner', async () => {
    const shared = makeScratch();
    shared.write('One/Plan.md', 'first\n');
    shared.write('Two/Plan.md', 'second\n');
    const at = ['--vault', shared.vault, '--data', shared.data];
    const names = async (): Promise<void> => {
      const { code, stderr } = await runGrove(['get', 'Plan', ...at]);
      expect(code).toBe(1);
      expect(stderr).toContain('- One/Plan.md\n- Two/Plan.md\n');
      const asJson = await runGrove(['get', 'Plan', ...at, '--json']);
      expect(JSON.parse(asJson.stdout).error).toMatchObject({
        code: 'note_ambiguous',
        candidates: [{ path: 'One/Plan.md' }, { path: 'Two/Plan.md' }],
      });
    };
    await names();
    const server = spawnGrove(['start', ...at, '--json']);
    await once(server.stdout, 'data');
    await names();
    await end(server);
    shared.remove();
  });

  it('name the known vaults when one is not there', async () => {
    await json('status');
    const { stderr } = await runGrove(['list', '--vault', 'none', '--data', scratch.data]);
    expect(stderr).toContain('Known vaults: my-garden.');
    const other = await runGrove(['list', '--json', '--vault', 'MY-GARDEN', '--data', scratch.data]);
    expect(JSON.parse(other.stdout).total).toBe(6);
  });

  it('answer an error as JSON with --json, else as two lines', async () => {
    const asJson = await runGrove(['get', 'Nothing at all', ...args, '--json']);
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout).error).toMatchObject({
      code: 'note_not_found',
      next: expect.any(String),
    });
    const asText = await runGrove(['get', 'Nothing at all', ...args]);
    expect(asText.stdout).toBe('');
    expect(asText.stderr.trim().split('\n')).toHaveLength(2);
  });
});

describeWithPrograms('a command on a repository that no other process serves', ['git'], () => {
  it('tells times from git, on the first run and after it', async () => {
    const own = makeScratch();
    try {
      const git = SystemGit.init(own.vault);
      git.time = Date.parse('2025-01-02T03:04:05Z') / 1000 - 60;
      git.commit('Garden');
      const words = ['--vault', own.vault, '--data', own.data, '--json'];
      for (const run of ['first', 'second']) {
        const { stdout } = await runGrove(['get', 'Compost', ...words]);
        expect(Date.parse(JSON.parse(stdout).modified), run).toBe(Date.parse('2025-01-02T03:04:05Z'));
      }
      const status = await runGrove(['status', ...words]);
      expect(JSON.parse(status.stdout).history).toEqual({ ready: true });
      const recent = await runGrove(['search', 'tomatoes', '--after', '2025-02-01', ...words]);
      expect(JSON.parse(recent.stdout).hits).toEqual([]);
    } finally {
      own.remove();
    }
  });
});

describe('grove reindex', () => {
  it('builds the index anew and says how many notes it holds', async () => {
    expect(await json('status')).toMatchObject({ notes: 6 });
    const { code, stdout, stderr } = await runGrove(['reindex', ...args, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ slug: 'my-garden', notes: 6 });
    expect(stderr).toContain('6 of 6');
    expect((await json('search', 'xylophone')).hits).toHaveLength(1);
  });
});
