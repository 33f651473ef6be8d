import type { NoteRow } from '@grove/vault';
import type { Scope } from '../contract.ts';

/** An agent is kept waiting no longer. */
const PATIENCE_MS = 10_000;

const FORMER =
  'Written and embedded; the model before answers searches by meaning until the new one reaches as many notes, and finds the note by its words.';

/**
 * Waits until notes can be found by meaning.
 *
 * @returns null when they can; else why not yet, as a sentence
 * @example const remark = await awaitEmbedded(scope, [row]);
 */
export async function awaitEmbedded(
  { search, view }: Scope,
  rows: readonly NoteRow[],
): Promise<string | null> {
  if (search.health().meaning === null)
    return 'No embedding model is set up: the note is found by its words.';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, 'late');
  });
  try {
    const outcome = await Promise.race([search.embedded(rows.map(({ id }) => id)), late]);
    if (outcome === true) return rows.some(({ id }) => search.isEmbedded(view, id) === false) ? FORMER : null;
    const why = outcome === 'late' ? '' : ': the embedding model does not answer (see vault_status)';
    return `Written, and not embedded yet${why}; until then the note is found by its words.`;
  } finally {
    clearTimeout(timer);
  }
}
