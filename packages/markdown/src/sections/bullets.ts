import { foldTitle } from '@grove/core';
import { plainText } from '../inline/plain-text.ts';
import { lineContentEnd } from '../lines.ts';
import type { ListItem, NoteText } from '../model.ts';
import { LOGSEQ_STATES } from '../outline/tasks.ts';
import { loosenHeading } from './heading-text.ts';
import { takeOrdinal } from './match.ts';

// The bullet, then a heading's marks, a task's box or a Logseq keyword.
const MARKER = new RegExp(
  `^(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?:#{1,6}[ \\t]+)?(?:\\[.\\][ \\t]+|${LOGSEQ_STATES}[ \\t]+)?`,
  'u',
);

/** The text by which a bullet is addressed: its first line without marker and markup. */
export function bulletText(text: string, item: ListItem): string {
  const line = text.slice(item.start, Math.min(lineContentEnd(text, item.start), item.treeEnd));
  return plainText(line.replace(MARKER, '')).trim();
}

/** The bullets whose text an address names, compared as headings are; `Text@2` takes the second of them. */
export function matchBullets(note: NoteText, address: string): ListItem[] {
  return takeOrdinal(address.replace(/^[-*+#]+\s+/, ''), (name) => {
    for (const fold of [foldTitle, loosenHeading]) {
      const wanted = fold(plainText(name));
      if (wanted === '') return [];
      const found = note.listItems.filter((item) => fold(bulletText(note.text, item)) === wanted);
      if (found.length > 0) return found;
    }
    return [];
  });
}
