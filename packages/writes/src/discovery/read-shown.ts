import { isGroveError, type VaultPath } from '@grove/core';
import type { NoteRow, ServedNote, View } from '@grove/vault';

/**
 * A note of a View as its bytes are now; null where they cannot be read, or make it one that the View does not show.
 * Other Views judge it by these bytes from then on.
 *
 * @throws GroveError `vault_degraded`
 */
export async function readShown(view: View, path: VaultPath): Promise<ServedNote | null> {
  const row = view.get(path);
  try {
    return row === null ? null : await view.read(row);
  } catch (error) {
    const isGone = (['note_not_found', 'note_not_text', 'note_too_large'] as const).some((code) =>
      isGroveError(error, code),
    );
    if (isGone) return null;
    throw error;
  }
}

/** True for a note that a View still shows by its bytes of now; false as well where nothing can be read. */
export async function isStillShown(view: View, { path }: Pick<NoteRow, 'path'>): Promise<boolean> {
  try {
    return (await readShown(view, path)) !== null;
  } catch (error) {
    if (isGroveError(error)) return false;
    throw error;
  }
}
