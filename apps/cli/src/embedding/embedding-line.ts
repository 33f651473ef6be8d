import type { OpenedVault } from '@grove/service';

/**
 * What a start tells of search by meaning: that it goes on in the background, and where texts are sent. Null when there
 * is nothing to tell.
 */
export function embeddingLine({ slug, vault, search }: OpenedVault): string | null {
  const counts = search.embeddedOf(vault.ownerView());
  const meaning = search.health().meaning;
  if (counts === null || meaning === null) return null;
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
