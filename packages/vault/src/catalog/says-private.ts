import type { NoteText } from '@grove/markdown';

/** A block at the top that is meant as frontmatter, whatever keeps it from being it: TOML, a blank before it, old line ends. */
const LIKE_FRONTMATTER =
  /^[\s\u200b\u2060]*(?:-{3,}|\+{3})[ \t]*[\r\n]([\s\S]*?)[\r\n](?:-{3,}|\+{3})[ \t]*(?:[\r\n]|$)/;
const PRIVATE_LINE =
  /(?:^|[\r\n])[ \t]*["']?private["']?[ \t]*[:=](?![ \t]*(?:false|null|~)?[ \t]*(?:#|[\r\n]|$))/i;
/** A field in the text, as Dataview and Logseq have them: on a line of its own or in brackets. */
const PRIVATE_FIELD =
  /(?:^[ \t>*+-]{0,40}|[[(])[*_]{0,3}private[*_]{0,3}::(?![ \t]{0,20}(?:false|null)?[ \t]{0,20}(?:[\])\r\n]|$))/im;
/** So much of a text is looked at for such a block. */
const TOP = 4_096;

/**
 * True for a note that says `private`, in any spelling of the key, with any value but false or null. A rule that keeps notes
 * back errs on the closed side: what only looks like frontmatter counts too, and a field anywhere in the text.
 *
 * @example saysPrivate(parse('---\nPrivate: yes\n---\n')) // true
 */
export function saysPrivate({ frontmatter, text }: NoteText): boolean {
  const isSaid = Object.entries(frontmatter.data).some(
    ([key, value]) =>
      key.normalize('NFKC').trim().toLowerCase() === 'private' && value !== false && value !== null,
  );
  if (isSaid || (text.includes('::') && PRIVATE_FIELD.test(text))) return true;
  if (frontmatter.status !== 'none') return false;
  const block = LIKE_FRONTMATTER.exec(text.slice(0, TOP))?.[1];
  return block !== undefined && PRIVATE_LINE.test(block);
}
