import type { NoteFacts } from './note-facts.ts';
import { oneLine } from './note-facts.ts';

/** `Path.md — Title`, in one line whatever the names hold. */
export function nameLine({ path, title }: Pick<NoteFacts, 'path' | 'title'>): string {
  return title === undefined ? oneLine(path) : `${oneLine(path)} — ${oneLine(title)}`;
}

/** The addresses under which the note opens. */
export function linkLine({ link, url }: Pick<NoteFacts, 'link' | 'url'>): string {
  return url === undefined ? link : `${url} ${link}`;
}
