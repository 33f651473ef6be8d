import type { KeyFacts } from '@grove/access';

/** A key as `--json` tells it, with the names that REST uses; times in ISO 8601. */
export function keyJson(key: KeyFacts): object {
  const time = (moment: number | null): string | null =>
    moment === null ? null : new Date(moment).toISOString();
  return {
    id: key.id,
    name: key.name,
    vault: key.vault,
    scopes: key.scopes,
    read_paths: key.readPaths,
    write_paths: key.writePaths,
    deny_paths: key.denyPaths,
    created: time(key.createdAt),
    expires: time(key.expiresAt),
    last_used: time(key.lastUsedAt),
    revoked: time(key.revokedAt),
    state: key.state,
    ending: key.ending,
  };
}
