import { readNoteFile } from '../disk/read-note-file.ts';

const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Why a file that is there cannot be taken, or null when it can, or is not there. */
export async function refusalOfFile(root: string, path: string): Promise<string | null> {
  const outcome = await readNoteFile(root, path, MAX_SETTINGS_BYTES);
  return outcome.kind === 'refused' ? outcome.reason : null;
}

/**
 * The text of a small file of the vault that a tool or the owner wrote, or null when it is not there. It is
 * opened under the same rules as a note: a link, a device, something not UTF-8 or above 1 MB is not there.
 */
export async function readSettingsFile(root: string, path: string): Promise<string | null> {
  const outcome = await readNoteFile(root, path, MAX_SETTINGS_BYTES);
  if (outcome.kind !== 'read') return null;
  const text = Buffer.from(outcome.bytes).toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** A settings file that is a JSON object, or null when it is not there or is something else. */
export async function readJsonFile(root: string, path: string): Promise<Record<string, unknown> | null> {
  const text = await readSettingsFile(root, path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
