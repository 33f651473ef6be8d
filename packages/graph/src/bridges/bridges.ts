import { setTimeout as sleep } from 'node:timers/promises';
import type { NoteRow, View } from '@grove/vault';
import { type LinkTable, linkPairs, linkTable } from '../link-table.ts';
import { type Betweenness, betweenness } from './betweenness.ts';
import { type Measuring, measureAside } from './measure-aside.ts';

/** A note through which others hang together. */
export interface Bridge {
  readonly row: NoteRow;
  /** Its betweenness, 0 to 1. */
  readonly share: number;
  /** The true share lies within this of it in 95 of 100 samples; 0 when it is exact. */
  readonly error: number;
}

export interface Bridges {
  /** Those with the largest share first; from a sample only those whose share is larger than its error. */
  readonly notes: readonly Bridge[];
  /** Notes from which ways were counted: fewer than all for a sample. */
  readonly sources: number;
  readonly isExact: boolean;
}

interface Kept {
  readonly generation: number;
  /** Null when it was called off. */
  readonly bridges: Promise<Bridges | null>;
  callOff(): void;
}

/** Steps that are taken at once rather than on a thread, whose start costs more. */
const AT_ONCE = 500_000;

const kept = new WeakMap<View, Kept>();

/**
 * The bridges of a View as its last change left it, or null when they take longer than `patience` milliseconds: they go
 * on being measured, for whoever asks again. A change calls off what was measured before it.
 */
export async function bridgesOf(view: View, patience: number): Promise<Bridges | null> {
  const { generation } = view;
  const last = kept.get(view);
  if (last?.generation === generation) return await inTime(last.bridges, patience);
  last?.callOff();
  const table = linkTable(view);
  const { rows } = table;
  const measuring = measure(table);
  const bridges = measuring.result.then((measured) => (measured === null ? null : rank(rows, measured)));
  kept.set(view, { generation, bridges, callOff: measuring.callOff });
  // What failed is tried again by the next call; nobody may be waiting for it now.
  bridges.catch(() => kept.get(view)?.bridges === bridges && kept.delete(view));
  return await inTime(bridges, patience);
}

function measure(table: LinkTable): Measuring {
  const { rows, targets } = table;
  const linked = { paths: rows.map(({ path }) => path), links: linkPairs(table) };
  if (rows.length * (rows.length + 2 * targets.length) > AT_ONCE) return measureAside(linked);
  return { result: Promise.resolve(betweenness(linked)), callOff: () => {} };
}

function rank(rows: readonly NoteRow[], { shares, errors, sources }: Betweenness): Bridges {
  const notes = rows.map((row, place) => ({ row, share: shares[place] ?? 0, error: errors[place] ?? 0 }));
  return {
    notes: notes.filter(({ share, error }) => share > error).sort((a, b) => b.share - a.share),
    sources,
    isExact: sources === notes.length,
  };
}

async function inTime<T>(work: Promise<T>, patience: number): Promise<T | null> {
  const ended = new AbortController();
  const late = sleep(patience, null, { signal: ended.signal }).catch(() => null);
  try {
    return await Promise.race([work, late]);
  } finally {
    ended.abort();
  }
}
