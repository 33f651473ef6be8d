import { type GroveError, isGroveError, parseVaultPath, type VaultPath } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { isWiringTask } from '../discovery/wiring-task.ts';
import { GROVE_ITSELF } from '../engine/commit/signatures.ts';
import type { NoteWritesOptions } from '../notes/contract.ts';
import { mendTexts, notesToMend, type SeenMove } from './mend-texts.ts';

/** A move that is done. */
export interface DoneMove {
  readonly from: VaultPath;
  readonly to: VaultPath;
  /** Notes that its own commit took care of. */
  readonly handled: readonly VaultPath[];
  /** Id under which the ledger keeps that this is still to be done. */
  readonly followUp: number | null;
  /** Notes in which only links to the moved one are mended; see {@link SeenMove.isNarrow}. */
  readonly isNarrow: (row: NoteRow) => boolean;
}

/** What became of the links. */
export type MendedBehind = { readonly paths: readonly VaultPath[] } | { readonly error: GroveError };

type Ground = Pick<NoteWritesOptions, 'engine' | 'ground'>;

/**
 * What the ledger keeps of a move until the links are mended. JSON.
 *
 * @param narrow true where whoever moved the note does not see all of the vault: another process does not know what
 * they see, and mends links to the moved note alone
 */
export function mendingLeft(from: VaultPath, to: VaultPath, narrow: boolean): object {
  return { kind: 'mend links', from, to, ...(narrow ? { narrow } : {}) };
}

/** Passes by itself: the links are seen to another time. */
export const PASSING = [
  'git_busy',
  'git_in_operation',
  'write_queue_full',
  'write_conflict',
  'stopping',
  'vault_degraded',
  'disk_unwritable',
  'ledger_unavailable',
  'repository_unwritable',
  'repository_full',
] as const;

/**
 * Mends the links of notes that the one who moved does not see or may not write, and of those that came in between, in
 * a mechanical commit of the owner's. The move stands whatever becomes of links elsewhere.
 */
export async function mendBehind({ engine, ground }: Ground, move: DoneMove): Promise<MendedBehind> {
  try {
    const paths = await mend({ engine, ground }, move);
    if (move.followUp !== null) engine.followedUp(move.followUp);
    return { paths };
  } catch (error) {
    if (!isGroveError(error)) throw error;
    const passes = PASSING.some((code) => error.code === code);
    if (!passes && move.followUp !== null) engine.followedUp(move.followUp);
    return { error };
  }
}

/** Mends what earlier moves left, which a crash or git kept from it. */
export async function mendLeft({ engine, ground }: Ground): Promise<void> {
  const left = engine.followUps();
  if (left.length === 0 || ground.ownerView() === null) return;
  for (const { id, task } of left) {
    if (isWiringTask(task)) continue;
    const move = movedBy(task);
    // Where a note lies at the old path again, links may well mean that one.
    if (move === null || ground.ownerView()?.get(move.from) != null) engine.followedUp(id);
    else await mendBehind({ engine, ground }, { ...move, handled: [], followUp: id });
  }
}

function movedBy(task: unknown): Pick<DoneMove, 'from' | 'to' | 'isNarrow'> | null {
  if (typeof task !== 'object' || task === null || !('from' in task) || !('to' in task)) return null;
  const isNarrow = 'narrow' in task && task.narrow === true;
  return {
    from: parseVaultPath(String(task.from)),
    to: parseVaultPath(String(task.to)),
    isNarrow: () => isNarrow,
  };
}

async function mend(
  { engine, ground }: Ground,
  { from, to, handled, isNarrow }: DoneMove,
): Promise<readonly VaultPath[]> {
  const view = ground.ownerView();
  const row = view?.get(to) ?? null;
  if (view === null || row === null) return [];
  const move: SeenMove = { view, row, from, to, isFile: () => false, isNarrow };
  const done = new Set<VaultPath>(handled);
  const rows = notesToMend(move).filter(({ path }) => !done.has(path));
  if (rows.length === 0) return [];
  const { files, commit } = await engine.apply({
    paths: rows.map(({ path }) => path),
    author: GROVE_ITSELF,
    idempotency: null,
    plan: async (now) => ({
      changes: (await mendTexts(move, rows, now)).map(({ path, text }) => ({
        path,
        after: Buffer.from(text, 'utf8'),
      })),
      subject: `Mend links to ${to.length <= 120 ? to : 'a note that was moved'}`,
      trailers: { 'Grove-Operation': 'move' },
      mechanical: true,
      answer: null,
    }),
  });
  return commit === null ? [] : files.map(({ path }) => path);
}

/** What the one who moved is told of it: only who sees everything hears of other notes. */
export function remarksOn(mended: MendedBehind, seesAll: boolean): readonly string[] {
  if (!seesAll) return [];
  if ('error' in mended) return [`Links in other notes could not be mended: ${mended.error.message}`];
  return mended.paths.length === 0
    ? []
    : [`Links in notes outside of your reach were mended in a commit of their own: ${named(mended.paths)}.`];
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length <= 5 ? shown : `${shown} and ${paths.length - 5} more`;
}
