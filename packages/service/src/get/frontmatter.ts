import type { NoteText } from '@grove/markdown';
import { jsonBytes } from '../answers/size.ts';
import type { GetBounds } from './bounds.ts';

/** Properties as an answer shows them; `whole` is false when some were left out for their size. */
export interface ShownFrontmatter {
  readonly shown: { readonly frontmatter?: Record<string, unknown> };
  readonly whole: boolean;
}

/** The parsed properties, key by key until they take too much. */
export function shownFrontmatter(
  note: NoteText,
  { frontmatterBytes }: Pick<GetBounds, 'frontmatterBytes'>,
): ShownFrontmatter {
  const entries = Object.entries(note.frontmatter.data);
  const frontmatter: [string, unknown][] = [];
  let left = frontmatterBytes;
  for (const entry of entries) {
    left -= jsonBytes(entry);
    if (left < 0) break;
    frontmatter.push(entry);
  }
  return {
    // fromEntries defines its keys, so one named __proto__ is only a key.
    shown: frontmatter.length === 0 ? {} : { frontmatter: Object.fromEntries(frontmatter) },
    whole: frontmatter.length === entries.length,
  };
}
