import { linkAt, shownText, type WrittenLink } from './shown-text.ts';

/** A link that Grove put in the place of a name, with what stood around it on its line. */
export interface AddedLink extends WrittenLink {
  readonly around: Surroundings;
  /** The line that was added for it to the definitions at the end of a note of Foam. */
  readonly definition: string | null;
}

interface Surroundings {
  readonly before: string;
  readonly after: string;
}

/** A text without links that were added to it. */
export interface TextBefore {
  readonly text: string;
  readonly taken: readonly (WrittenLink & { readonly line: number })[];
  /** Links of the same form that stand elsewhere now, or alike in two places: somebody may have written them. */
  readonly left: readonly WrittenLink[];
}

/** Characters on each side by which a place is known again; of a shorter line all. */
const NEAR = 32;
/** Characters that are looked at for them: links are longer than what they show. */
const REACH = 512;

/**
 * The links that a text got in the place of what they show, and their definitions of Foam; what differs otherwise ends
 * the search.
 *
 * @example addedLinks('The compost.', 'The [[Compost|compost]].') // [{ link: '[[Compost|compost]]', text: 'compost', … }]
 */
export function addedLinks(before: string, after: string): AddedLink[] {
  const added = linksBetween(before, after);
  if (added.length === 0) return [];
  const old = new Set(linesOf(before));
  const lines = linesOf(after).filter((line) => line.startsWith('[') && !old.has(line));
  return added.map((link) => ({
    ...link,
    definition: lines.find((line) => line.startsWith(`[${labelOf(link)}]: `)) ?? null,
  }));
}

function linksBetween(before: string, after: string): Omit<AddedLink, 'definition'>[] {
  const added: Omit<AddedLink, 'definition'>[] = [];
  let [old, at] = [0, 0];
  while (at < after.length) {
    if (before[old] === after[at]) {
      old += 1;
      at += 1;
      continue;
    }
    const found = linkAt(after, at);
    if (found === null || !before.startsWith(found.text, old)) return added;
    added.push({ ...found, around: surroundings(after, at, found.link) });
    old += found.text.length;
    at += found.link.length;
  }
  return added;
}

/**
 * Puts names back where links were added to a text, as far as those still stand where they were put, and takes out the
 * definitions that were added for them.
 */
export function takeBack(now: string, links: readonly AddedLink[]): TextBefore {
  const places: { readonly at: number; readonly added: AddedLink }[] = [];
  const left: WrittenLink[] = [];
  for (const added of links) {
    const found = occurrences(now, added.link);
    const [at, ...others] = found.filter((place) =>
      isSame(surroundings(now, place, added.link), added.around),
    );
    if (at !== undefined && others.length === 0) places.push({ at, added });
    else if (found.length > 0) left.push({ link: added.link, text: added.text });
  }
  places.sort((a, b) => a.at - b.at);
  let text = '';
  let end = 0;
  let line = 1;
  const taken: (WrittenLink & { readonly line: number })[] = [];
  for (const { at, added } of places) {
    const between = now.slice(end, at);
    line += between.split('\n').length - 1;
    text += between + added.text;
    end = at + added.link.length;
    taken.push({ link: added.link, text: added.text, line });
  }
  const whole = places.reduce((all, { added }) => withoutDefinition(all, added), text + now.slice(end));
  return { text: whole, taken, left };
}

/** True when a text is another one with links in the place of what they show, and their definitions. */
export function isOnlyLinked(before: string, after: string): boolean {
  return takeBack(after, addedLinks(before, after)).text === before;
}

/** A note that was moved has another destination there; one that links the same again keeps it. */
function withoutDefinition(text: string, { link, definition }: AddedLink): string {
  if (definition === null || text.includes(link)) return text;
  const [start, title] = [`[${labelOf({ link })}]: `, /"(?:[^"\\]|\\.)*"$/.exec(definition)?.[0] ?? ''];
  const lines = text.split(/(?<=\n)/);
  const at = lines.findLastIndex((line) => line.startsWith(start) && line.trimEnd().endsWith(` ${title}`));
  if (at < 0) return text;
  const [before, after] = [lines.slice(0, at).join(''), lines.slice(at + 1).join('')];
  const isOpen = !lines[at]?.endsWith('\n');
  return (isOpen ? before.replace(/\r?\n$/, '') : before) + after;
}

function labelOf({ link }: Pick<WrittenLink, 'link'>): string {
  return link.slice(2, -2);
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** Where a link stands, but as an embed. */
function occurrences(text: string, link: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(link); at >= 0; at = text.indexOf(link, at + link.length))
    if (text[at - 1] !== '!') found.push(at);
  return found;
}

/** Of other links only what they show: a note that is moved has other destinations. */
function surroundings(text: string, at: number, link: string): Surroundings {
  const end = at + link.length;
  const before = /[^\r\n]*$/.exec(text.slice(Math.max(0, at - REACH), at))?.[0] ?? '';
  const after = /^[^\r\n]*/.exec(text.slice(end, end + REACH))?.[0] ?? '';
  return { before: shownText(before).slice(-NEAR), after: shownText(after).slice(0, NEAR) };
}

function isSame(a: Surroundings, b: Surroundings): boolean {
  return a.before === b.before && a.after === b.after;
}
