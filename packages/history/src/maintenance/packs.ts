import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { byteCache } from '../objects/object-database.ts';
import { Pack, type PackContext } from '../objects/pack.ts';
import { PackIndex } from '../objects/pack-index.ts';
import { unreadable } from '../repository/unreadable.ts';
import { namesIn } from './loose-files.ts';

const MB = 1024 * 1024;
/** Objects above this stay as they are. */
export const OBJECT_LIMIT = 16 * MB;
// Packs of which nothing may be moved into others: kept by hand, of a partial clone, with a map of its objects.
const KEPT = ['.keep', '.promisor', '.bitmap', '.mtimes'] as const;
const SMALL_PACK = { objects: 10_000, bytes: 64 * MB } as const;

/** A pack of the repository's own. */
export interface OwnPack {
  readonly pack: Pack;
  /** Small, and nothing depends on its being there: may be joined with others. */
  readonly isSmall: boolean;
}

/**
 * The repository's packs, to be read past every cache but a small one of their own. Cruft packs are none of them: git
 * removes what is in those.
 */
export async function openOwnPacks(objects: string): Promise<OwnPack[]> {
  const folder = join(objects, 'pack');
  const names = await namesIn(folder);
  const isListed = names.includes('multi-pack-index');
  const context = newContext();
  const packs: OwnPack[] = [];
  for (const name of names.filter((found) => found.endsWith('.idx'))) {
    const stem = name.slice(0, -'.idx'.length);
    if (names.includes(`${stem}.mtimes`) || !names.includes(`${stem}.pack`)) continue;
    const index = await PackIndex.read(join(folder, name));
    if (index === null) continue;
    const path = join(folder, `${stem}.pack`);
    const bytes = (await lstat(path)).size;
    const isFree = !isListed && !KEPT.some((suffix) => names.includes(`${stem}${suffix}`));
    packs.push({
      pack: new Pack(path, index, context),
      isSmall: isFree && index.count <= SMALL_PACK.objects && bytes <= SMALL_PACK.bytes,
    });
  }
  return packs;
}

/** Opens one pack that was just made. */
export async function openPack(path: string): Promise<Pack> {
  const index = await PackIndex.read(`${path.slice(0, -'.pack'.length)}.idx`);
  if (index === null) throw unreadable('a pack is gone right after it was made');
  return new Pack(path, index, newContext());
}

function newContext(): PackContext {
  return {
    limit: 4 * OBJECT_LIMIT,
    pages: byteCache(2 * MB),
    objects: byteCache(8 * MB),
    // Packs on disk are whole: a delta's base lies in the same one.
    readElsewhere: () => Promise.reject(unreadable('a delta in a pack has no base')),
  };
}
