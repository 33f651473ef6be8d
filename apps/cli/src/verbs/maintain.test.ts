import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runGrove, runGroveProcess } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
let git: SystemGit;
beforeEach(() => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
  git = SystemGit.init(scratch.vault);
  git.commit('Mine');
});
afterEach(() => scratch.remove());

function loose(): number {
  return Number(/^count: (\d+)$/m.exec(git.run('count-objects', '-v'))?.[1]);
}

describeWithPrograms('grove maintain', ['git'], () => {
  it('packs the git dir, tells what came of it on stdout and how far it is on stderr', async () => {
    const count = loose();
    const { stdout, stderr, code } = await runGrove(['maintain', ...args]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^Packed ${count} objects of my-garden: \\d+ KB before, \\d+ KB now\\.\\n$`),
    );
    expect(stderr).toContain('Packing: ');
    expect(loose()).toBe(0);
    expect(git.run('fsck', '--strict')).toBe('');
    expect((await runGrove(['maintain', ...args])).stdout).toBe('There is nothing to pack in my-garden.\n');
    expect((await runGrove(['doctor', ...args])).stdout).toMatch(
      /ok Git dir +[\d.]+ MB, 0 loose objects, 1 packs/,
    );
  });

  it('does it in the process that owns the vault, and answers as JSON', async () => {
    const count = loose();
    const server = await startServer(args);
    try {
      const { stdout, stderr } = await runGrove(['maintain', ...args, '--json']);
      expect(JSON.parse(stdout)).toMatchObject({
        slug: 'my-garden',
        packed: count,
        joined: 0,
        before: { loose_objects: count, packs: 0 },
        after: { loose_objects: 0, packs: 1 },
      });
      expect(stderr).toContain('Packing: ');
      const { stdout: status } = await runGrove(['status', ...args]);
      expect(status).toContain('- Git dir: under 1 MB, 0 loose objects, 1 pack\n');
    } finally {
      await server.stop();
    }
  });

  it('says that another program collects in the repository, and leaves it to that', async () => {
    writeFileSync(join(scratch.vault, '.git', 'gc.pid'), `${process.pid} ${hostname()}`);
    const { stdout, code } = await runGroveProcess(['maintain', ...args]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Another program packs or collects')]);
    expect(loose()).toBeGreaterThan(0);
  });
});
