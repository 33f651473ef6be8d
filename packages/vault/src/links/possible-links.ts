import { lineAt, type NoteText, type Range } from '@grove/markdown';
import type { NoteRow } from '../note-row.ts';
import { blocksWithoutProse } from './blocks-without-prose.ts';
import type { Mention } from './find-mentions.ts';
import { type LinkGround, linkTo } from './link-to.ts';
import { asInTable, isProse } from './prose.ts';
import { covers, unionOf } from './ranges.ts';

/** A link that a note could have, where the name of the other stands now. */
export interface PossibleLink extends Range {
  readonly to: NoteRow;
  /** What to put in the place of `text`. */
  readonly link: string;
  readonly text: string;
  readonly line: number;
}

/** Where a note mentions others, and what is to be kept to. */
export interface MentionedIn {
  readonly view: LinkGround;
  readonly row: NoteRow;
  readonly note: NoteText;
  readonly mentions: readonly Mention[];
}

/** Most places that are looked at. */
const MOST_PLACES = 300;

/**
 * The links that a note could have to the notes that it mentions and does not link yet, longest and rarest names first,
 * one for each note, where it is first named. Names in code, links, brackets, addresses, tags, headings and properties
 * are left out, and those that several notes have. Each costs its work when it is asked for.
 */
export function* possibleLinks({ view, row, note, mentions }: MentionedIn): Generator<PossibleLink> {
  const linked = new Set(note.links.map((link) => view.resolveLink(link, row)?.id));
  linked.add(row.id);
  const literals = unionOf([...note.literals, ...blocksWithoutProse(note)]);
  const taken = unionOf([...note.links, ...literals, ...note.headings, ...note.tags]);
  const ofNote = new Map<number, Mention[]>();
  for (const mention of mentions) {
    const [to, ...others] = mention.notes;
    if (to === undefined || others.length > 0 || linked.has(to.id) || mention.start < note.bodyStart)
      continue;
    if (covers(taken, mention)) continue;
    ofNote.set(to.id, [...(ofNote.get(to.id) ?? []), mention]);
  }
  const ranked = [...ofNote.values()].sort(
    (a, b) => longest(b) - longest(a) || a.length - b.length || (a[0]?.start ?? 0) - (b[0]?.start ?? 0),
  );
  let places = 0;
  for (const found of ranked) {
    const left = found.slice(0, Math.max(0, MOST_PLACES - places));
    places += left.length;
    const mention = left.find((place) => isProse(place, note, literals));
    const to = mention?.notes[0];
    if (mention === undefined || to === undefined) continue;
    const { text, start, end } = mention;
    const written = linkTo(view, { from: row, to, text });
    const link = written === null ? null : asInTable(written, mention, note);
    if (link === null) continue;
    yield { to, link, text, line: lineAt(note.lineStarts, start), start, end };
  }
}

function longest(mentions: readonly Mention[]): number {
  return Math.max(...mentions.map(({ text }) => text.length));
}
