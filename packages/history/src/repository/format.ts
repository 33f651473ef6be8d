import { join } from 'node:path';
import { isTrue, parseGitConfig } from './config-file.ts';
import type { GitLocation } from './location.ts';
import { readGitFile } from './small-file.ts';
import { unreadable } from './unreadable.ts';

/** What the repository's own configuration says about how it is stored. */
export interface RepositoryFormat {
  /** Objects may be missing here and live at a remote only (`git clone --filter`). */
  readonly partialClone: boolean;
  readonly bare: boolean;
  /** `core.worktree`, as written; null when there is none. */
  readonly workTree: string | null;
}

// Extensions that change nothing about how objects and refs are read (git, repository-version).
const HARMLESS = new Set(['noop', 'noop-v1', 'preciousobjects', 'worktreeconfig', 'relativeworktrees']);

/**
 * Reads `config` (and `config.worktree` where that is in use) and refuses what cannot be read soundly:
 * a format version above 1, SHA-256 object names, reftable refs, unknown extensions. Throws
 * `repository_unreadable`.
 */
export async function readFormat(
  location: Pick<GitLocation, 'gitDir' | 'commonDir'>,
): Promise<RepositoryFormat> {
  const config = parseGitConfig((await readGitFile(join(location.commonDir, 'config'))) ?? '');
  const version = Number(config.get('core.repositoryformatversion') ?? '0');
  if (!(version === 0 || version === 1)) throw unreadable(`its format has version ${version}`);
  // An extension counts from version 1 on, these two in every version: git refuses the mix.
  const objectFormat = config.get('extensions.objectformat')?.toLowerCase() ?? 'sha1';
  if (objectFormat !== 'sha1') throw unreadable(`its objects are named by ${objectFormat}`);
  const refStorage = config.get('extensions.refstorage')?.toLowerCase() ?? 'files';
  if (refStorage !== 'files') throw unreadable(`its refs are stored as ${refStorage}`);
  for (const [key, value] of version === 1 ? config : []) {
    const name = /^extensions\.(.+)$/.exec(key)?.[1];
    if (name === undefined || HARMLESS.has(name)) continue;
    if (name === 'objectformat' || name === 'refstorage' || name === 'partialclone') continue;
    throw unreadable(`it uses the extension ${name} = ${value}`);
  }
  const ownConfig = isTrue(config.get('extensions.worktreeconfig'))
    ? parseGitConfig((await readGitFile(join(location.gitDir, 'config.worktree'))) ?? '')
    : new Map<string, string>();
  return {
    partialClone:
      config.has('extensions.partialclone') ||
      [...config].some(([key, value]) => /^remote\..*\.promisor$/.test(key) && isTrue(value)),
    bare: isTrue(ownConfig.get('core.bare') ?? config.get('core.bare')),
    workTree: ownConfig.get('core.worktree') ?? config.get('core.worktree') ?? null,
  };
}
