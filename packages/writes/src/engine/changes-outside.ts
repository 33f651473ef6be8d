import { isGroveError, type VaultPath } from '@grove/core';
import type { EffectiveChange } from './check-plan.ts';
import { type LookedAt, lookAtFiles } from './look-at-files.ts';
import type { EngineParts } from './parts.ts';

const NO_FILE = ['path_refused', 'folder_is_file', 'note_too_large'] as const;
const NOT_FOR_GIT = ['git_ignored', 'git_filter_unsupported', 'git_in_submodule'] as const;

/**
 * Notes to be committed as they lie on disk. Passed over is what became a link, a folder or too large, and what git does
 * not take.
 *
 * @throws GroveError `vault_degraded`, `files_exhausted`, `repository_unreadable`
 * @example const changes = await changesOutside(parts, paths);
 */
export async function changesOutside(
  parts: EngineParts,
  paths: readonly VaultPath[],
): Promise<readonly EffectiveChange[]> {
  const changes: EffectiveChange[] = [];
  for (const path of new Set(paths)) {
    const look = await unless(NO_FILE, () => lookAt(parts, path));
    if (look === null || (await unless(NOT_FOR_GIT, () => taken(parts, look))) === null) continue;
    changes.push({ look, planned: { path, after: look.now?.bytes ?? null, keepSource: true } });
  }
  return changes;
}

async function lookAt({ root, ledger }: EngineParts, path: VaultPath): Promise<LookedAt | null> {
  return (await lookAtFiles(root, ledger, [path])).get(path) ?? null;
}

async function taken({ git }: EngineParts, { place }: LookedAt): Promise<true> {
  await git.refuse(place.diskPath);
  return true;
}

async function unless<Result>(
  codes: readonly Parameters<typeof isGroveError>[1][],
  work: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (codes.some((code) => isGroveError(error, code))) return null;
    throw error;
  }
}
