import { foldTitle } from '@grove/core';
import type { NoteText, Range } from '@grove/markdown';
import { type NoteRow, possibleLinks, type ServedNote } from '@grove/vault';
import { namesOfOne } from '@grove/writes';
import { plural } from '../answers/markdown.ts';
import { clip, noteFacts, oneLine } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { mapBounded, readIfThere } from '../notes/read.ts';
import { buildingRemarks } from '../vault-status/building.ts';
import type { GetBounds } from './bounds.ts';
import { contextOf } from './context.ts';
import type { GetAnswer, ShownMention } from './contract.ts';

/** Names of one note that are searched for, and how long one may be, in UTF-16 units. */
const NAMES = 20;
const LONGEST = 300;
/** Names that are told as not searched for. */
const TOLD = 5;
/** Text of so many UTF-16 units has no more words than are looked at in one go. */
const PART = 4_000;

/**
 * The notes of the View that name this one in prose and do not link to it: each with the place where it is first named
 * and the link that could stand there, by the rules that suggested links keep to. Notes that may be such are found by
 * search; what is said of them is as they are on disk now.
 *
 * @throws GroveError `index_unavailable`
 */
export async function listMentions(
  scope: Scope,
  target: NoteRow,
  { mentioningNotes }: Pick<GetBounds, 'mentioningNotes'>,
  listBytes: number,
): Promise<{ readonly answer: Pick<GetAnswer, 'mentions' | 'mentions_total'>; readonly remarks: string[] }> {
  const { names, remarks } = namesToFind(scope, target);
  const { rows, total, isWhole } = await notesHolding(scope, target, names, mentioningNotes);
  // Looked at in the turn in which it was read: a moment later the View may show it no more.
  const found = await mapBounded(rows, 8, async (row) => {
    const served = await readIfThere(scope.view, row);
    return served === null ? [] : mentionIn(scope, served, target);
  });
  const mentions = found.flat();
  return {
    answer: {
      mentions: [...fillPage(mentions, listBytes).items],
      ...(isWhole ? { mentions_total: mentions.length } : {}),
    },
    remarks: [
      ...buildingRemarks(scope),
      ...remarks,
      ...(isWhole ? [] : [cutRemark(rows.length, mentions.length, total)]),
    ],
  };
}

function cutRemark(read: number, found: number, total: number): string {
  return `At least ${plural(found, 'note mentions', 'notes mention')} it without a link: of at least ${total.toLocaleString('en')} notes that hold a name of it, ${read} were read.`;
}

/** Names of the note that can be found in a text as words and mean it alone; the others are remarked. */
function namesToFind(
  { view, vault }: Scope,
  target: NoteRow,
): { readonly names: readonly string[]; readonly remarks: readonly string[] } {
  const all = new Map([target.name, target.title, ...target.aliases].map((name) => [foldTitle(name), name]));
  const names: string[] = [];
  const others: string[] = [];
  const ground = { view, schema: vault.schema };
  for (const name of all.values()) {
    const whole = { start: 0, end: name.length };
    const isFound = name.length <= LONGEST && namesOfOne(name, whole, ground).some(isOf(target));
    (isFound ? names : others).push(name);
  }
  if (others.length === 0) return { names, remarks: [] };
  const told = others.slice(0, TOLD).map((name) => `"${clip(oneLine(name), 60)}"`);
  const more = others.length > TOLD ? ` and ${others.length - TOLD} more` : '';
  const remark = `Not looked for, as too short, no run of words, or a name of several notes: ${told.join(', ')}${more}.`;
  return { names, remarks: [remark] };
}

interface Holding {
  readonly rows: readonly NoteRow[];
  /** How many there are, at least. */
  readonly total: number;
  readonly isWhole: boolean;
}

/** Notes that hold one of the names somewhere and do not link to the note, those that are most about it first. */
async function notesHolding(
  { view, search }: Scope,
  target: NoteRow,
  names: readonly string[],
  most: number,
): Promise<Holding> {
  const passed = new Set([target.id, ...view.sourceIds(target)]);
  const rows: NoteRow[] = [];
  for (const [at, name] of names.entries()) {
    const { hits, total } = await search.search(view, {
      searches: [{ type: 'lex', query: `"${name.replaceAll(/["“”„«»]/gu, ' ')}"` }],
      intent: null,
      within: view.ids().filter((id) => !passed.has(id)),
      limit: most - rows.length,
      offset: 0,
      snippets: 0,
    });
    for (const { row } of hits) {
      rows.push(row);
      passed.add(row.id);
    }
    const left = (total ?? hits.length) - hits.length;
    const isLast = at === names.length - 1;
    if (left > 0 || (rows.length === most && !isLast) || (at === NAMES - 1 && !isLast))
      return { rows, total: rows.length + left, isWhole: false };
  }
  return { rows, total: rows.length, isWhole: true };
}

/** Where a note first names another that it does not link to; nothing where it does not. */
function mentionIn(scope: Scope, { row, note }: ServedNote, target: NoteRow): ShownMention[] {
  const { view, vault } = scope;
  const ground = { view, schema: vault.schema };
  const mentions = [...wholeLines(note)]
    .flatMap((part) => namesOfOne(note.text, part, ground))
    .filter((mention) => isOf(target)(mention) && mention.text.length <= LONGEST);
  return [...possibleLinks({ view, row, note, mentions })].map(({ line, text, link, start }) => ({
    ...noteFacts(scope, row),
    line,
    context: contextOf(note, { start }),
    text,
    replace: link,
  }));
}

function isOf(target: NoteRow): (mention: { readonly notes: readonly NoteRow[] }) => boolean {
  return ({ notes }) => notes[0]?.id === target.id;
}

/** The body in parts that end with a line, as names do: of a long note each line is looked at. */
function* wholeLines({ text, bodyStart }: NoteText): Generator<Range> {
  let start = bodyStart;
  while (start < text.length) {
    let end = text.lastIndexOf('\n', start + PART) + 1;
    if (end <= start) end = text.indexOf('\n', start) + 1 || text.length;
    yield { start, end };
    start = end;
  }
}
