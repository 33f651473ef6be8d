/** The parts of a link's target: `Note#Heading#Sub` or `Note#^block`. */
export interface Target {
  readonly target: string;
  readonly heading: string | null;
  readonly block: string | null;
}

/** What stands between `[[` and `]]`. */
export interface Wikilink extends Target {
  /** The text after the first `|` (`\|` inside a table), or null. */
  readonly label: string | null;
}

/**
 * Splits the inside of a wikilink. Obsidian separates target and label by the first `|`, written `\|`
 * inside a table, and heading and block by the first `#`.
 *
 * @example parseWikilink('Plan#^a1|the plan') // { target: 'Plan', heading: null, block: 'a1', label: 'the plan' }
 */
export function parseWikilink(inside: string): Wikilink {
  const pipe = inside.indexOf('|');
  if (pipe < 0) return { ...splitTarget(inside), label: null };
  const escaped = pipe > 0 && inside.charCodeAt(pipe - 1) === 0x5c;
  const label = inside.slice(pipe + 1).trim();
  return { ...splitTarget(inside.slice(0, escaped ? pipe - 1 : pipe)), label: label === '' ? null : label };
}

/** A wikilink of Logseq, whose page names may hold `#` and whose pages have no link to a heading. */
export function parsePageLink(inside: string): Wikilink {
  return { target: inside.trim(), heading: null, block: null, label: null };
}

/** Splits `Note#Heading#Sub` and `Note#^block`; white space around the parts is dropped. */
export function splitTarget(link: string): Target {
  const hash = link.indexOf('#');
  if (hash < 0) return { target: link.trim(), heading: null, block: null };
  const target = link.slice(0, hash).trim();
  const fragment = link.slice(hash + 1).trim();
  if (fragment.startsWith('^')) return { target, heading: null, block: fragment.slice(1) };
  // `Note#Heading#^block` names the block: Obsidian takes the last part.
  const block = fragment.lastIndexOf('#^');
  if (block >= 0) return { target, heading: null, block: fragment.slice(block + 2) };
  return { target, heading: fragment === '' ? null : fragment, block: null };
}
