import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, makeRemoteSide, SystemGit } from '@grove/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch } from '../testing/vault-folder.ts';

const waited = { timeout: 90_000, interval: 250 };
/** From the moment that the server asks for what is new, in milliseconds: into the fetch, the merge, the files. */
const KILLS = [40, 250, 500, 900];

/** Notes that come in one commit. */
function batch(round: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [
      `Round ${round}/Note ${at}.md`,
      `# Note ${at}\n\nround ${round}\n`,
    ]),
  );
}

describeWithPrograms('a server that is killed while it pulls', ['git'], () => {
  it('has all of it after the next start, and git finds nothing to mend', async () => {
    const scratch = makeScratch();
    onTestFinished(() => scratch.remove());
    const side = await makeRemoteSide({ 'Plan.md': 'plan\n' });
    const vault = join(scratch.folder, 'notes');
    const args = ['--vault', vault, '--data', scratch.data];
    await runGrove(['clone', side.url, vault, '--data', scratch.data]);
    await runGrove(['vault', 'writes', 'on', ...args]);
    const settings = { GROVE_SYNC: 'on', GROVE_SYNC_PULL_SECONDS: '1', GROVE_SYNC_PUSH_SECONDS: '1' };
    for (const [round, delay] of KILLS.entries()) {
      await runGrove(['append', 'Plan', `round ${round}`, ...args]);
      side.elsewhere(batch(round));
      const server = await startServer(args, settings);
      const asked = new Promise<void>((resolve) => {
        side.server.beforePost = resolve;
      });
      await asked;
      await new Promise((resolve) => setTimeout(resolve, delay));
      process.kill(server.told.pid, 'SIGKILL');
      await server.stop();
    }
    side.server.beforePost = null;
    const server = await startServer(args, settings);
    try {
      const git = new SystemGit(vault);
      await vi.waitFor(() => {
        expect(side.holds('Plan.md')).toContain(`round ${KILLS.length - 1}`);
        for (const round of KILLS.keys())
          expect(readdirSync(join(vault, `Round ${round}`))).toHaveLength(150);
      }, waited);
      await vi.waitFor(() => expect(git.run('status', '--porcelain')).toBe(''), waited);
      expect(git.run('fsck', '--strict')).toBe('');
      const { stdout } = await runGrove(['list', '--limit', '1', '--json', ...args]);
      expect(JSON.parse(stdout).notes_total).toBe(1 + KILLS.length * 150);
      // Nothing that was there was taken back on the way.
      expect(git.run('log', '--diff-filter=D', '--format=%h')).toBe('');
    } finally {
      await server.stop();
    }
  });
});
