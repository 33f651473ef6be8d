// As `linkTo` writes them: `[[Note]]`, `[[Note|text]]`, `[text](path.md)`, `[text]([[Page]])`; in a table `\|` for `|`.
const LINK = /\[\[(?:[^[\]|\n]*\|)?([^[\]|\n]*)\]\]|\[([^[\]\n]*)\]\((?:\[\[[^[\]\n]*\]\]|[^()\s]*)\)/;

/** A link as it is written, and what it shows. */
export interface WrittenLink {
  readonly link: string;
  readonly text: string;
}

/**
 * A text with what its links show in their place.
 *
 * @example shownText('Turned the [[Compost|compost heap]].') // 'Turned the compost heap.'
 */
export function shownText(text: string): string {
  return text.replaceAll(new RegExp(LINK, 'g'), (...[, wikilink, markdown]) => wikilink ?? markdown ?? '');
}

/**
 * A text with names in the place of links to notes, as far as another text does not hold the same links.
 *
 * @example unlinkedFor('The compost.', 'The [[Compost|compost]].') // 'The compost.'
 */
export function unlinkedFor(other: string, text: string): string {
  return text.replaceAll(new RegExp(LINK, 'g'), (link, wikilink, markdown) =>
    /\]\([a-z][a-z\d+.-]*:/i.test(link) || other.includes(link) ? link : (wikilink ?? markdown ?? ''),
  );
}

/** The link that begins at a place of a text, or null. */
export function linkAt(text: string, at: number): WrittenLink | null {
  const sticky = new RegExp(LINK, 'y');
  sticky.lastIndex = at;
  const found = sticky.exec(text);
  return found === null ? null : { link: found[0], text: found[1] ?? found[2] ?? '' };
}
