import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GitHttpServer } from '@grove/testing';
import { git } from './write-vault.ts';

const EDIT_MS = 2_000;
const PUSH_MS = 20_000;

/** A remote of the vault, and somebody else who works with it. */
export interface SoakRemote {
  /** Pulls, changes a note and pushes, again and again; says how often. */
  colleague(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Changes notes in the folder as an editor would, again and again; says how often. */
export async function changeOutside(
  root: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  let edits = 0;
  while (await pause(EDIT_MS, signal)) {
    appendFileSync(join(root, paths[(edits * 613 + 5) % paths.length]!), `\nEdited outside, ${edits}.\n`);
    edits += 1;
  }
  return `${edits} edits`;
}

/**
 * Makes a bare copy of the repository, served over HTTP by git itself, and makes it the remote that the server is to keep
 * in step with.
 */
export async function startRemote(root: string, scratch: string): Promise<SoakRemote> {
  const [bare, other] = [join(scratch, 'remotes', 'notes.git'), join(scratch, 'colleague')];
  git(root, 'clone', '-q', '--bare', root, bare);
  git(bare, 'config', 'http.receivepack', 'true');
  const http = createServer();
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server = new GitHttpServer(join(scratch, 'remotes'), http, 'http');
  git(root, 'remote', 'add', 'origin', server.url('notes.git'));
  git(root, 'config', 'branch.main.remote', 'origin');
  git(root, 'config', 'branch.main.merge', 'refs/heads/main');
  git(scratch, 'clone', '-q', bare, other);
  // For the server that is started next.
  Object.assign(process.env, {
    GROVE_SYNC: 'on',
    GROVE_SYNC_PULL_SECONDS: '15',
    GROVE_SYNC_PUSH_SECONDS: '5',
  });
  return {
    async colleague(signal) {
      let [pushes, lost] = [0, 0];
      while (await pause(PUSH_MS, signal)) {
        await run(other, 'pull', '-q', '--rebase');
        appendFileSync(join(other, 'Area 00', 'Page 00001.md'), `\nA colleague wrote this, ${pushes}.\n`);
        await run(other, 'commit', '-q', '-a', '-m', 'Work');
        try {
          await run(other, 'push', '-q');
          pushes += 1;
        } catch {
          // The server was faster; the commit goes with the next one.
          lost += 1;
        }
      }
      const pushed = (await run(bare, 'rev-list', '--count', '--author=soak', 'main')).trim();
      return `${pushes} pushes of a colleague (${lost} came late), ${pushed} commits of the server in the remote`;
    },
    close: () => server.close(),
  };
}

const IDENTITY = ['-c', 'user.name=Ben', '-c', 'user.email=ben@example.org'];

/** Beside the clients, whose answers must not wait for it. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', [...IDENTITY, ...args], { cwd: folder });
  return stdout;
}

/** False when the signal ended it. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}
