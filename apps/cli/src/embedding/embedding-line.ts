import type { OpenedVault } from '@grove/service';
import { OWNER } from '../calls/call-vault.ts';

/**
 * What a start tells of search by meaning: that it goes on in the background, and where texts are sent; or why search is
 * by words, where a model is set up that cannot be used. Null when there is nothing to tell.
 *
 * @example embeddingLine(opened) // 'notes: 0 of 103 notes are embedded; the others follow in the background (grove status)'
 */
export function embeddingLine(opened: OpenedVault): string | null {
  const { slug, vault, search } = opened;
  const counts = search.embeddedOf(vault.ownerView());
  const { meaning, meaningProblem } = search.health();
  if (counts === null || meaning === null) {
    const problem = opened.scope(OWNER).embedding.problem ?? meaningProblem;
    return problem === null ? null : `${slug}: search is by words. ${problem}`;
  }
  const { total, done } = counts;
  const rest =
    done < total
      ? `${done.toLocaleString('en')} of ${total.toLocaleString('en')} notes are embedded; the others follow in the background (grove status)`
      : null;
  const host =
    meaning.host === null
      ? null
      : `texts of notes and queries are sent to ${meaning.host} (${meaning.model})`;
  const said = [rest, host].filter((text) => text !== null);
  return said.length === 0 ? null : `${slug}: ${said.join('; ')}`;
}
