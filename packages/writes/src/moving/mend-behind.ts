import { isGroveError, type VaultPath } from '@grove/core';
import type { WholeFileSetting } from '../notes/whole-file-plan.ts';
import { mendTexts, notesToMend, type SeenMove } from './mend-texts.ts';

/** A move that is done, and the notes that its own commit took care of. */
export interface DoneMove {
  readonly from: VaultPath;
  readonly to: VaultPath;
  readonly handled: readonly VaultPath[];
}

/**
 * Mends the links of notes that the one who moved does not see or may not write, and of those that came in between, in
 * a mechanical commit of the owner's. Only who sees everything is told of it.
 */
export async function mendBehind(
  { caller, engine, ground }: WholeFileSetting,
  { from, to, handled }: DoneMove,
): Promise<readonly string[]> {
  const view = ground.ownerView();
  const row = view?.get(to) ?? null;
  if (view === null || row === null) return [];
  const move: SeenMove = { view, row, from, to, isFile: () => false };
  try {
    const done = new Set<VaultPath>(handled);
    const rows = notesToMend(move).filter(({ path }) => !done.has(path));
    if (rows.length === 0) return [];
    const { files } = await engine.apply({
      paths: rows.map(({ path }) => path),
      author: { kind: 'owner', id: 'grove', name: 'Grove', client: null },
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
    const paths = files.map(({ path }) => path);
    return !caller.view.isOwner || paths.length === 0
      ? []
      : [`Links in notes outside of your reach were mended in a commit of their own: ${named(paths)}.`];
  } catch (error) {
    if (!isGroveError(error)) throw error;
    // The move stands whatever becomes of links elsewhere.
    return caller.view.isOwner ? [`Links in other notes could not be mended: ${error.message}`] : [];
  }
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length <= 5 ? shown : `${shown} and ${paths.length - 5} more`;
}
