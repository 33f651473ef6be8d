import { type Element, outlineSight, remarkSight, type Sight } from './elements.ts';

/** An element that only one of the parsers sees. */
export interface Difference extends Element {
  readonly seenBy: 'remark' | 'outline';
}

/** A way in which the two differ, on purpose or by what each parser is. */
export interface KnownDifference {
  readonly name: string;
  readonly reason: string;
  /** The shortest text that shows it. */
  readonly example: string;
  explains(difference: Difference, sights: Sights): boolean;
}

interface Sights {
  readonly body: string;
  readonly remark: Sight;
  readonly outline: Sight;
  readonly all: readonly Difference[];
}

/** Every difference that may occur; one that none of these explains fails the test. */
export const KNOWN: readonly KnownDifference[] = [
  {
    name: 'bare address',
    reason:
      'GFM makes links of addresses in plain text. They never lead into a vault, so the outline leaves them.',
    example: 'see https://example.org now',
    explains: ({ seenBy, kind, start }, { body }) =>
      seenBy === 'remark' &&
      kind === 'link' &&
      /^(?:https?:\/\/|www\.|[\w.+-]+@)/i.test(body.slice(start, start + 80)),
  },
  {
    name: 'wikilink',
    reason: 'The outline knows wikilinks; CommonMark sees brackets, perhaps around a reference.',
    example: '[[a]]\n\n[a]: b',
    explains: ({ seenBy, start }, { outline }) => seenBy === 'remark' && isInside(start, outline.wikilinks),
  },
  {
    name: 'wikilink in a heading',
    reason: "A heading's text holds what a reader sees of a wikilink, without brackets and target.",
    example: '# See [[a|b]]',
    explains: ({ kind, start, detail, seenBy }, { all }) =>
      kind === 'heading' &&
      all.some(
        (other) =>
          other.kind === 'heading' &&
          other.start === start &&
          other.seenBy !== seenBy &&
          withoutBrackets(other.detail) === withoutBrackets(detail),
      ),
  },
  {
    name: 'definition that is there twice',
    reason: 'By CommonMark the first of several counts; pulldown-cmark reports that one only.',
    example: '[a]: b\n[a]: c',
    explains: ({ seenBy, kind, start }, { remark }) => {
      if (seenBy !== 'remark' || kind !== 'definition') return false;
      const label = remark.definitions.find((definition) => definition.start === start)?.label;
      return remark.definitions.some((definition) => definition.label === label && definition.start < start);
    },
  },
  {
    name: 'underlined heading after a definition',
    reason: 'remark starts such a heading where the definitions before it start.',
    example: '[a]: b\nHeading\n===',
    explains: ({ kind, detail, seenBy, start }, { all, remark }) =>
      kind === 'heading' &&
      all.some(
        (other) =>
          other.kind === 'heading' &&
          other.seenBy !== seenBy &&
          other.detail === detail &&
          remark.definitions.some((definition) => definition.start === Math.min(start, other.start)),
      ),
  },
  {
    name: 'description of an image',
    reason: 'remark flattens it to text; the outline reports the links in it, and the note drops them.',
    example: '![a [b](c)](d)',
    explains: ({ seenBy, start }, { remark }) =>
      seenBy === 'outline' && remark.images.some((image) => image.start < start && start < image.end),
  },
  {
    name: 'dollar signs',
    reason:
      'remark takes any two for math; pulldown-cmark wants no space inside them and no digit behind, as Obsidian does.',
    example: '$a and `b` $c d',
    explains: ({ seenBy, start }, { remark, outline }) =>
      isInside(start, seenBy === 'outline' ? remark.math : outline.math),
  },
];

/** All elements of a body that only one of the parsers sees, with the known difference that explains each. */
export function compare(body: string): (Difference & { readonly known: string | null })[] {
  const remark = remarkSight(body);
  const outline = outlineSight(body);
  const all = [...only('remark', remark, outline), ...only('outline', outline, remark)];
  const sights: Sights = { body, remark, outline, all };
  return all.map((difference) => ({
    ...difference,
    known: KNOWN.find((known) => known.explains(difference, sights))?.name ?? null,
  }));
}

function only(seenBy: Difference['seenBy'], sight: Sight, other: Sight): Difference[] {
  const seen = new Set(other.elements.map(keyOf));
  return sight.elements
    .filter((element) => !seen.has(keyOf(element)))
    .map((element) => ({ ...element, seenBy }));
}

function keyOf({ kind, start, detail }: Element): string {
  return `${kind} ${start} ${detail}`;
}

function isInside(
  offset: number,
  extents: readonly { readonly start: number; readonly end: number }[],
): boolean {
  return extents.some(({ start, end }) => start <= offset && offset < end);
}

function withoutBrackets(text: string): string {
  return text.replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1');
}
