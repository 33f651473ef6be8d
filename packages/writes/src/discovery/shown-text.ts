// As `linkTo` writes them: `[[Note]]`, `[[Note|text]]`, `[text](path.md)`, `[text]([[Page]])`; in a table `\|` for `|`.
const LINK = /\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]*)\]\]|\[([^[\]\n]*)\]\((?:\[\[[^[\]\n]*\]\]|[^()\s]*)\)/g;

/**
 * A text with what its links show in their place.
 *
 * @example shownText('Turned the [[Compost|compost heap]].') // 'Turned the compost heap.'
 */
export function shownText(text: string): string {
  return text.replaceAll(
    LINK,
    (_, wikilink: string | undefined, markdown: string | undefined) => wikilink ?? markdown ?? '',
  );
}
