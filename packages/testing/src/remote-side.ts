import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folders.ts';
import type { GitHttpServer } from './git-http-server.ts';
import { serveGit } from './serve-git.ts';
import { SystemGit } from './system-git.ts';

/** A repository behind a real git server, and a clone of it in which somebody else works. */
export interface RemoteSide {
  readonly server: GitHttpServer;
  readonly url: string;
  /** The bare repository. */
  readonly bare: SystemGit;
  /** Makes a folder a clone of it, whose remote is the server. */
  cloneTo(folder: string): SystemGit;
  /** Writes files in the other clone (null removes one) and pushes them; gives back the commit. */
  elsewhere(files: Readonly<Record<string, string | Uint8Array | null>>): string;
  /** What the branch main holds at a path; null where there is nothing. */
  holds(path: string): string | null;
}

/** Ends with the running test. */
export async function makeRemoteSide(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<RemoteSide> {
  const root = temporaryFolder('remote side');
  const bare = new SystemGit(join(root, 'my notes.git'));
  mkdirSync(join(root, 'other'));
  const other = SystemGit.init(join(root, 'other'));
  for (const [path, content] of Object.entries(files)) other.write(path, content);
  other.commit('Begin');
  other.run('clone', '-q', '--bare', other.dir, bare.dir);
  bare.run('config', 'http.receivepack', 'true');
  other.run('remote', 'add', 'origin', bare.dir);
  const server = await serveGit(root);
  const url = server.url('my notes.git');
  return {
    server,
    url,
    bare,
    cloneTo: (folder) => {
      const clone = SystemGit.init(folder);
      // Past the server: it is in this process, which waits for git meanwhile.
      clone.run('remote', 'add', 'origin', bare.dir);
      clone.run('fetch', '-q', 'origin');
      clone.run('reset', '-q', '--hard', 'origin/main');
      clone.run('remote', 'set-url', 'origin', url);
      return clone;
    },
    elsewhere: (changes) => {
      other.run('pull', '-q', '--rebase', 'origin', 'main');
      for (const [path, content] of Object.entries(changes))
        if (content === null) other.remove(path);
        else other.write(path, content);
      const commit = other.commit('From elsewhere');
      other.run('push', '-q', 'origin', 'main');
      return commit;
    },
    holds: (path) =>
      bare.run('ls-tree', '-r', '--name-only', '-z', 'main').split('\0').includes(path)
        ? bare.run('show', `main:${path}`)
        : null,
  };
}
