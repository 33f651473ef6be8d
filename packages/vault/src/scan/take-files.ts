import type { Catalog, CatalogStep } from '../catalog/catalog.ts';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import type { Deliveries } from '../catalog/deliveries.ts';
import { describeDetails, type FileReading } from '../catalog/read-note.ts';
import type { SkipReason } from '../disk/stat-key.ts';
import type { CatalogDelta } from '../note-row.ts';
import type { FileResult, NoteReader, WantedFile } from './note-reader.ts';

export interface TakeOptions {
  readonly catalog: Catalog;
  readonly reader: NoteReader;
  readonly deliveries: Deliveries;
  readonly signal: AbortSignal;
  /** A file that was read and is no note; null once it is one. */
  readonly onSkip: (diskPath: string, reason: SkipReason | null) => void;
  readonly onProgress?: (done: number) => void;
  /** `deliver`: notes whose bytes are known are parsed and delivered all the same; `describe`: parsed for details. */
  readonly unchanged?: 'deliver' | 'describe';
  /** Awaited before the first delta. */
  readonly beforeDelta?: () => Promise<void>;
}

/** Small enough that parsing and writing one batch holds the event loop for some milliseconds only. */
const BATCH_FILES = 16;
const BATCH_BYTES = 128 * 1024;

/**
 * Reads files in batches and takes them into the catalog, `removals` with the first batch. While the listeners
 * take one delta, the next batch is parsed and the one after it read; never more, so that a slow listener slows
 * the scan instead of filling memory. Answers the paths that changed under its hands and are to be looked at
 * again.
 */
export async function takeFiles(
  wanted: readonly WantedFile[],
  removals: readonly CatalogRow[],
  options: TakeOptions,
): Promise<string[]> {
  const again: string[] = [];
  const batches = inBatches(wanted);
  if (batches.length === 0 && removals.length > 0) batches.push([]);
  let done = 0;
  let reading = options.reader.readMany(batches[0] ?? []);
  let delivering: Promise<void> = Promise.resolve();
  try {
    for (const [index, batch] of batches.entries()) {
      const results = await reading;
      options.signal.throwIfAborted();
      reading = options.reader.readMany(batches[index + 1] ?? []);
      // A failure is heard when the batch is awaited.
      reading.catch(() => {});
      const before = delivering;
      const mayDeliver = async (): Promise<void> => {
        await options.beforeDelta?.();
        await before;
      };
      const taken = await takeBatch(results, index === 0 ? removals : [], mayDeliver, options);
      again.push(...taken.again);
      delivering = taken.delivering ?? before;
      options.signal.throwIfAborted();
      done += batch.length;
      options.onProgress?.(done);
    }
  } finally {
    // A batch that was begun is waited for: its files are open, its delta is on its way.
    await Promise.allSettled([reading, delivering]);
  }
  return again;
}

/** `mayDeliver` is awaited before anything is applied that the listeners hear of. */
async function takeBatch(
  results: readonly FileResult[],
  removals: readonly CatalogRow[],
  mayDeliver: () => Promise<void>,
  options: TakeOptions,
): Promise<{ delivering: Promise<void> | null; again: string[] }> {
  const { catalog, reader, deliveries, unchanged } = options;
  const step: { -readonly [key in keyof CatalogStep]: CatalogStep[key][number][] } = {
    upserts: [],
    refreshed: [],
    removals: [...removals],
    refused: [],
  };
  const again: string[] = [];
  const known: CatalogRow[] = [];
  const unreadable: CatalogRow[] = [];
  const toParse: { file: FileReading; wanted: WantedFile; isKnown: boolean }[] = [];
  for (const result of results) {
    const { wanted } = result;
    const { expected } = wanted;
    if (result.kind === 'gone') {
      if (expected !== null) again.push(wanted.diskPath);
      continue;
    }
    if (result.kind === 'refused') {
      options.onSkip(wanted.diskPath, result.reason);
      if (expected === null) continue;
      if (result.reason === 'unreadable') unreadable.push(expected);
      else step.removals.push(expected);
      continue;
    }
    options.onSkip(wanted.diskPath, null);
    const { file } = result;
    const isKnown = expected !== null && expected.contentHash === file.contentHash;
    if (!isKnown || unchanged !== undefined) toParse.push({ file, wanted, isKnown });
    if (!isKnown) continue;
    known.push(expected);
    if (unchanged === undefined) step.refreshed.push({ ...refreshedBy(file), expected, details: null });
  }

  const readings = await reader.parse(toParse.map(({ file }) => file));
  const redelivered: { row: CatalogRow; index: number }[] = [];
  for (const [index, { file, wanted, isKnown }] of toParse.entries()) {
    const reading = readings[index] ?? null;
    const { expected } = wanted;
    if (reading === null) {
      options.onSkip(wanted.diskPath, 'not_text');
      const { key } = file.facts;
      step.refused.push({ path: wanted.diskPath, reason: 'not_text', stat: JSON.stringify(key) });
      if (expected !== null) step.removals.push(expected);
    } else if (!isKnown || expected === null) {
      step.upserts.push({ expected, reading });
    } else if (unchanged === 'describe') {
      step.refreshed.push({ ...refreshedBy(file), expected, details: describeDetails(reading.note) });
    } else {
      redelivered.push({ row: expected, index });
    }
  }

  if (step.upserts.length + step.removals.length + redelivered.length > 0) await mayDeliver();
  await catalog.room();
  options.signal.throwIfAborted();
  // Queued in the turn in which the catalog has it: whoever waits for the deliveries waits for all that the catalog has.
  const applied = catalog.apply(step);
  catalog.unmask(known);
  catalog.mask(unreadable);
  again.push(...applied.stale);
  // A row that changed meanwhile has its own delta on the way.
  const current = redelivered.filter(({ row }) => catalog.byId(row.id)?.contentHash === row.contentHash);
  if (applied.delta === null && current.length === 0) return { delivering: null, again };
  const delta: CatalogDelta = applied.delta ?? { upserted: [], texts: [], removed: [] };
  const told = {
    upserted: [...delta.upserted, ...current.map(({ row }) => catalog.byId(row.id) ?? row)],
    texts: [...delta.texts, ...current.map(({ index }) => readings[index]!.note)],
    removed: delta.removed,
  };
  const delivering = deliveries.push(told, applied.delta !== null);
  return { delivering, again };
}

function refreshedBy(
  file: FileReading,
): Pick<CatalogStep['refreshed'][number], 'facts' | 'diskPath' | 'readAt'> {
  return { facts: file.facts, diskPath: file.diskPath, readAt: file.readAt };
}

function inBatches(wanted: readonly WantedFile[]): WantedFile[][] {
  const batches: WantedFile[][] = [];
  let batch: WantedFile[] = [];
  let bytes = 0;
  for (const file of wanted) {
    if (batch.length === BATCH_FILES || (batch.length > 0 && bytes + file.size > BATCH_BYTES)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
