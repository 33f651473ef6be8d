import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type GitHttpServer, SystemGit, serveGit, temporaryFolder } from '@grove/testing';
import { onTestFinished } from 'vitest';
import type { SyncWish } from '../sync/contract.ts';
import type { OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';
import { openTestVault, type TestVault } from './opened.ts';
import type { Files } from './vault-folder.ts';

/** A vault and its remote behind a real git server, and a second clone in which somebody else works. */
export interface TwoSides {
  readonly vault: TestVault;
  /** Git in the vault's folder. */
  readonly here: SystemGit;
  readonly server: GitHttpServer;
  /** The bare repository. */
  readonly bare: SystemGit;
  /** Writes files in the second clone (null removes one) and pushes them; gives back the commit. */
  elsewhere(files: Readonly<Record<string, string | null>>): string;
  /** What the remote's branch holds at a path; null where there is nothing. */
  remote(path: string): string | null;
}

/** Of tests: nothing happens by itself unless they say so, and what failed is soon tried again. */
export const TEST_SYNC: SyncWish = {
  mode: null,
  token: null,
  pullMs: 0,
  pushMs: 50,
  byItself: false,
  retry: { firstMs: 60, longestMs: 400 },
};

/** Ends with the running test. */
export async function openTwoSides(
  files: Files,
  options: Partial<Omit<OpenOwnedVaultOptions, 'sync'>> & {
    readonly sync?: Partial<SyncWish>;
    readonly writes?: boolean;
  } = {},
): Promise<TwoSides> {
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
  const { sync, ...rest } = options;
  const vault = await openTestVault(
    {},
    {
      writes: true,
      ...rest,
      sync: { ...TEST_SYNC, ...sync },
      prepare: (folder) => {
        const here = SystemGit.init(folder);
        // The server is in this process, which waits for git meanwhile.
        here.run('remote', 'add', 'origin', bare.dir);
        here.run('fetch', '-q', 'origin');
        here.run('reset', '-q', '--hard', 'origin/main');
        here.run('remote', 'set-url', 'origin', server.url('my notes.git'));
      },
    },
  );
  onTestFinished(() => vault.close());
  return {
    vault,
    here: new SystemGit(vault.folder.root),
    server,
    bare,
    elsewhere: (changes) => {
      other.run('pull', '-q', '--rebase', 'origin', 'main');
      for (const [path, content] of Object.entries(changes))
        if (content === null) other.remove(path);
        else other.write(path, content);
      const commit = other.commit('From elsewhere');
      other.run('push', '-q', 'origin', 'main');
      return commit;
    },
    remote: (path) =>
      bare.run('ls-tree', '-r', '--name-only', '-z', 'main').split('\0').includes(path)
        ? bare.run('show', `main:${path}`)
        : null,
  };
}
