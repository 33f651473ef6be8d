import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { collect, end, temporaryFolder } from '@grove/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { runGrove, spawnGrove } from '../testing/processes.ts';
import { makeScratch } from '../testing/vault-folder.ts';

let data: string;
beforeEach(() => {
  data = temporaryFolder('a start');
});

describe('grove start', () => {
  it('opens a sample vault when none is named, shows how to connect, and ends cleanly on SIGTERM', async () => {
    const child = spawnGrove(['start', '--data', data]);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    while (!stdout().includes('Serving.')) await once(child.stdout, 'data');
    const text = stdout();
    expect(text).toMatch(/^sample-vault: \d+ notes/);
    for (const client of ['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code'])
      expect(text).toContain(client);
    expect(text).toContain(join(data, 'sample-vault'));
    expect(stderr()).toContain('sample vault');
    expect(text).toMatch(/Clients may only read the notes\. .* vault writes on\n/);
    expect(existsSync(join(data, 'sample-vault', '.git'))).toBe(true);
    await end(child);
    expect(child.exitCode).toBe(0);
    const searched = await runGrove(['search', 'garden', '--data', data, '--json']);
    expect(JSON.parse(searched.stdout).hits.length).toBeGreaterThan(0);
  });

  it('prints one JSON line with --json, and reads nothing after an unchanged restart', async () => {
    const scratch = makeScratch();
    const args = ['start', '--vault', scratch.vault, '--data', data, '--json'];
    for (const parsed of [6, 0]) {
      const child = spawnGrove(args);
      const stdout = collect(child.stdout);
      await once(child.stdout, 'data');
      expect(JSON.parse(stdout())).toMatchObject({
        ready: true,
        pid: child.pid,
        vaults: [{ slug: 'my-garden', notes: 6, parsed, writes: false }],
      });
      await end(child, 'SIGINT');
      expect(child.exitCode).toBe(0);
    }
    scratch.remove();
  });

  it('puts .git into the folder with --git-init, and says so', async () => {
    const scratch = makeScratch();
    const args = ['start', '--vault', scratch.vault, '--data', data, '--git-init', '--json'];
    for (const git_init of ['made', 'there']) {
      const child = spawnGrove(args);
      const stdout = collect(child.stdout);
      await once(child.stdout, 'data');
      expect(JSON.parse(stdout())).toMatchObject({ vaults: [{ git_init }] });
      expect(existsSync(join(scratch.vault, '.git', 'HEAD'))).toBe(true);
      await end(child, 'SIGINT');
    }
    const other = makeScratch();
    other.write('.stfolder/mark', '');
    const refused = await runGrove(['start', '--vault', other.vault, '--data', data, '--git-init']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Syncthing');
    expect(refused.stderr).toContain('--yes');
    expect(existsSync(join(other.vault, '.git'))).toBe(false);
    const idle = await runGrove(['start', '--vault', other.vault, '--data', data, '--yes']);
    expect([idle.code, idle.stderr]).toEqual([1, expect.stringContaining('--git-init')]);
    for (const folder of [scratch, other]) folder.remove();
  });

  it('serves several vaults at once, each to its own clients', async () => {
    const [one, two] = [makeScratch(), makeScratch()];
    two.write('Only here.md', '# Only here\n\nquokka\n');
    const child = spawnGrove(['start', '--vault', one.vault, '--vault', two.vault, '--data', data, '--json']);
    const stdout = collect(child.stdout);
    await once(child.stdout, 'data');
    const { vaults } = JSON.parse(stdout()) as { vaults: { slug: string; notes: number }[] };
    expect(vaults).toMatchObject([
      { slug: 'my-garden', notes: 6 },
      { slug: 'my-garden-2', notes: 7 },
    ]);
    for (const [vault, hits] of [
      ['my-garden', 0],
      ['my-garden-2', 1],
    ] as const) {
      const found = await runGrove(['search', 'quokka', '--vault', vault, '--data', data, '--json']);
      expect(JSON.parse(found.stdout).hits).toHaveLength(hits);
    }
    await end(child);
    expect(child.exitCode).toBe(0);
    one.remove();
    two.remove();
  });

  it('says one sentence and exits 1 when the folder is missing', async () => {
    const { code, stdout, stderr } = await runGrove(['start', '--vault', join(data, 'none'), '--data', data]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('The vault folder is not there.');
  });
});
