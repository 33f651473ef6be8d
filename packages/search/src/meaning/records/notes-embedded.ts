import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { VERSION } from './records-file.ts';

/**
 * How many notes a model has embedded, by the folder of its index; 0 for one that cannot be read. Changes nothing.
 *
 * @example notesEmbeddedIn('/data/vaults/notes/index/vectors/bge-m3-1024-0a1b2c3d') // 312
 */
export function notesEmbeddedIn(dir: string): number {
  const path = join(dir, 'records.db');
  if (!existsSync(path)) return 0;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    if (Number(database.prepare('PRAGMA user_version').get()?.user_version) !== VERSION) return 0;
    return Number(database.prepare('SELECT count(*) AS count FROM notes WHERE state = 1').get()?.count);
  } catch {
    return 0;
  } finally {
    database?.close();
  }
}
