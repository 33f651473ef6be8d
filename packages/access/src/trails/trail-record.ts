import { isoTime, isoTimeOrNull } from '../wishes/iso-time.ts';
import type { TrailFacts } from './trails.ts';

/** A trail as programs are told of it. Times are ISO 8601 in UTC. */
export interface TrailRecord {
  readonly id: string;
  readonly name: string;
  readonly vault: string;
  readonly allow_tags: readonly string[];
  readonly deny_tags: readonly string[];
  readonly allow_types: readonly string[];
  readonly deny_types: readonly string[];
  readonly allow_paths: readonly string[];
  readonly deny_paths: readonly string[];
  readonly write_folders: readonly string[];
  readonly reads: number;
  readonly writes: number;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly disabled_at: string | null;
  readonly last_used_at: string | null;
  readonly state: TrailFacts['state'];
}

/**
 * A trail for an answer in JSON, with the names that every interface has for its parts.
 *
 * @example trailRecord(trails.find('Book club')).allow_tags // ['books']
 */
export function trailRecord(trail: TrailFacts): TrailRecord {
  const { rules } = trail;
  return {
    id: trail.id,
    name: trail.name,
    vault: trail.vault,
    allow_tags: rules.allowTags,
    deny_tags: rules.denyTags,
    allow_types: rules.allowTypes,
    deny_types: rules.denyTypes,
    allow_paths: rules.allowPaths,
    deny_paths: rules.denyPaths,
    write_folders: rules.writeFolders,
    reads: trail.reads,
    writes: trail.writes,
    created_at: isoTime(trail.createdAt),
    expires_at: isoTimeOrNull(trail.expiresAt),
    disabled_at: isoTimeOrNull(trail.disabledAt),
    last_used_at: isoTimeOrNull(trail.lastUsedAt),
    state: trail.state,
  };
}
