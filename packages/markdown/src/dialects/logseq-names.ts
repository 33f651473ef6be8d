import { decodePercent } from '../inline/destination.ts';

/** How a Logseq graph writes page names as file names: `:file/name-format` of its config. */
export type LogseqNameFormat = 'triple-lowbar' | 'legacy';

// https://docs.logseq.com, "Logseq file and folder naming rules".
const RESERVED = /[<>:"\\|?*#%\u0000-\u001f]/g;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/**
 * The name of the page that a file holds, its extension left out: `___` and `%2F` are the `/` of a
 * namespace, other percent escapes are decoded. Older graphs (`legacy`) wrote the `/` as `.` too.
 *
 * @example logseqPageName('Project___Grove') // 'Project/Grove'
 */
export function logseqPageName(fileName: string, format: LogseqNameFormat = 'triple-lowbar'): string {
  if (format === 'legacy') return decodePercent(fileName.replaceAll(/(?<=[^.\s])\.(?=[^.\s])/g, '/'));
  return decodePercent(fileName.replace(/___$/, '').replaceAll('___', '/'));
}

/**
 * The file name, without extension, that Logseq gives to a page; the reverse of {@link logseqPageName}.
 *
 * @example logseqFileName('Project/Grove: notes') // 'Project___Grove%3A notes'
 */
export function logseqFileName(pageName: string, format: LogseqNameFormat = 'triple-lowbar'): string {
  const escaped = pageName.replaceAll(RESERVED, percent);
  if (format === 'legacy') return escaped.replaceAll('/', '%2F');
  const name = escaped
    .replaceAll('___', () => '%5F%5F%5F')
    // A `_` beside the separator would move it.
    .replaceAll(/_(?=\/)|(?<=\/)_/g, '%5F')
    // At the end it would look like the tail below.
    .replace(/\/+$/, (slashes) => '%2F'.repeat(slashes.length))
    .replaceAll('/', '___')
    .replace(/^\.|^ | $/g, percent);
  // What Windows could not store gets a tail that is no part of the page's name.
  return name.endsWith('.') || DEVICE.test(name) ? `${name}___` : name;
}

function percent(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
