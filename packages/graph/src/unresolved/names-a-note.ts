import type { MissingTarget } from '@grove/vault';

/**
 * Endings of files that are linked by name: what Obsidian takes as attachments (https://help.obsidian.md/file-formats),
 * and documents that people keep beside their notes.
 */
const ATTACHMENT =
  /\.(?:avif|bmp|gif|jpe?g|png|svg|webp|tiff?|heic|flac|m4a|mp3|ogg|wav|3gp|mkv|mov|mp4|ogv|webm|pdf|canvas|base|excalidraw|csv|tsv|json|ya?ml|txt|html?|xml|zip|epub|docx?|xlsx?|pptx?|odt|ods|edn|css|js|ts|py)$/i;
const ENDING = /\.[^./\s]{1,10}$/;

/** True for the target of a link that could be a note: no picture or other file, no folder, no block of one. */
export function namesANote({ kind, target }: MissingTarget): boolean {
  if (kind === 'block-ref' || target.endsWith('/')) return false;
  if (/\.md$/i.test(target)) return true;
  if (kind === 'image') return false;
  return kind === 'markdown' || kind === 'definition' ? !ENDING.test(target) : !ATTACHMENT.test(target);
}
