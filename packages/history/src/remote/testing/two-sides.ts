import { join } from 'node:path';
import { type GitHttpServer, SystemGit, serveGit, temporaryFolder } from '@grove/testing';
import { locateGitDir } from '../../repository/locate.ts';
import type { GitLocation } from '../../repository/location.ts';

/** A bare repository behind a real server, who else works on it, and a vault of Grove's beside it. */
export interface TwoSides {
  readonly server: GitHttpServer;
  readonly url: string;
  /** The bare repository itself. */
  readonly bare: SystemGit;
  /** Another clone, that pushes by the file system. */
  readonly other: SystemGit;
  /** The vault's repository, cloned by git. */
  readonly vault: SystemGit;
  readonly location: GitLocation;
}

/** Makes all of it with a history of one commit; `name` is that of the bare repository's folder. */
export async function twoSides(name = 'notes.git', ...cloneArgs: string[]): Promise<TwoSides> {
  const root = temporaryFolder('remote');
  const bare = new SystemGit(join(root, name));
  new SystemGit(root).run('init', '-q', '--bare', '-b', 'main', name);
  const other = SystemGit.init(join(temporaryFolder('other')));
  other.run('remote', 'add', 'origin', bare.dir);
  other.write('Plan.md', '# Plan\n');
  other.write('Garden/Beds.md', '# Beds\n\n- peas\n');
  other.commit('Begin');
  other.run('push', '-q', '-u', 'origin', 'main');
  const vault = new SystemGit(join(temporaryFolder('vault'), 'my notes'));
  new SystemGit(root).run('clone', '-q', ...cloneArgs, `file://${bare.dir}`, vault.dir);
  const location = (await locateGitDir(vault.dir))!;
  const server = await serveGit(root);
  return { server, url: server.url(name), bare, other, vault, location };
}
