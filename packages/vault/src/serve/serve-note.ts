import { GroveError } from '@grove/core';
import { parseNote, parseNoteAsync } from '@grove/markdown';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import type { Deliveries } from '../catalog/deliveries.ts';
import type { FileReading } from '../catalog/read-note.ts';
import { sameKey } from '../disk/stat-key.ts';
import type { ServedNote } from '../note-row.ts';
import type { NoteReader } from '../scan/note-reader.ts';
import type { RootGuard } from '../scan/root-guard.ts';
import type { VaultSettings } from '../settings/settings.ts';

export interface ServeOptions {
  readonly catalog: Catalog;
  readonly reader: NoteReader;
  readonly deliveries: Deliveries;
  readonly guard: RootGuard;
  readonly settings: () => VaultSettings;
  readonly maxBytes: number;
  /** Has a path looked at soon: what was just read differs from what the catalog thinks. */
  readonly lookAgain: (diskPath: string) => void;
}

/** Notes that are parsed on the calling thread, in bytes: so few that nothing but links or headings is quick too. */
const SMALL = 16 * 1024;
const TRIES = 3;

/**
 * Reads a note for a caller. When its bytes are new, the catalog, and with it every View, has them before
 * they are handed out, so that the caller's View can judge exactly what it is about to show.
 */
export async function serveNote(row: CatalogRow, options: ServeOptions): Promise<ServedNote> {
  let current: CatalogRow | null = row;
  for (let attempt = 1; attempt <= TRIES && current !== null; attempt += 1) {
    const served = await serveOnce(current, options);
    if (served !== null) return served;
    current = options.catalog.byId(row.id);
  }
  throw notFound(row);
}

/** Null when the catalog's row changed while the file was being read. */
async function serveOnce(row: CatalogRow, options: ServeOptions): Promise<ServedNote | null> {
  const { catalog, reader, guard, settings, lookAgain } = options;
  if (guard.problem !== null) throw new GroveError('vault_degraded');
  const result = await reader.read({ path: row.path, diskPath: row.diskPath, expected: row, size: row.size });
  if (result.kind !== 'read') {
    if (!guard.check()) throw new GroveError('vault_degraded');
    lookAgain(row.diskPath);
    if (result.kind === 'refused' && result.reason === 'too_large') {
      throw new GroveError('note_too_large', { path: row.path, size: result.size, limit: options.maxBytes });
    }
    throw notFound(row);
  }
  const { file } = result;
  if (file.contentHash !== row.contentHash) return await serveNew(file, row, options);

  const text = Buffer.from(file.bytes).toString('utf8');
  const { dialect } = settings();
  const note =
    file.bytes.byteLength <= SMALL
      ? parseNote(text, { dialect, path: row.path })
      : await parseNoteAsync(text, { dialect, path: row.path });
  const current = catalog.byId(row.id);
  if (current === null || current.contentHash !== row.contentHash) return null;
  if (!sameKey(current.stat, file.facts.key)) {
    const { facts, diskPath, readAt } = file;
    catalog.apply({ refreshed: [{ expected: current, facts, diskPath, readAt, details: null }] });
  }
  return { row: catalog.byId(row.id) ?? current, bytes: file.bytes, note };
}

async function serveNew(
  file: FileReading,
  row: CatalogRow,
  options: ServeOptions,
): Promise<ServedNote | null> {
  const { catalog, reader, deliveries, lookAgain } = options;
  const [reading] = await reader.parse([file]);
  if (reading === null || reading === undefined) {
    lookAgain(row.diskPath);
    throw new GroveError('note_not_text', { path: row.path });
  }
  const { delta, stale } = catalog.apply({ upserts: [{ expected: row, reading }] });
  if (stale.length > 0 || delta === null) return null;
  // Not awaited: an index that is busy must not hold up a read.
  void deliveries.push(delta);
  const [fresh] = delta.upserted;
  return fresh === undefined ? null : { row: fresh, bytes: file.bytes, note: reading.note };
}

function notFound(row: CatalogRow): GroveError {
  return new GroveError('note_not_found', { path: row.path });
}
