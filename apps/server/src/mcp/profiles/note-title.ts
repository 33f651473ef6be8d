import { basename } from 'node:path/posix';

/** What a note is called: its title, or else the name of its file. */
export function noteTitle({
  path,
  title,
}: {
  readonly path: string;
  readonly title?: string | undefined;
}): string {
  return title ?? basename(path).replace(/\.md$/i, '');
}
