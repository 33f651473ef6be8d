import type { NoteText } from '@grove/markdown';
import type { NoteRow, ServedNote } from '@grove/vault';
import { clip, isoTime, noteFacts } from '../answers/note-facts.ts';
import { jsonBytes } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { type Located, locateNote, type Missing } from '../notes/locate.ts';
import { canWrite } from '../write-note/listed.ts';
import { listBacklinks } from './backlinks.ts';
import { BOUNDED, type GetBounds } from './bounds.ts';
import { showContent } from './content.ts';
import type { GetAnswer, GetInput } from './contract.ts';
import { shownFrontmatter } from './frontmatter.ts';
import { listLinks } from './links.ts';
import { showMap } from './map.ts';
import { listMentions } from './mentions.ts';
import { listNoteHistory } from './note-history.ts';
import { readRevision } from './revision.ts';

/**
 * Reads one note, or a part of it, as it is on disk now, or as a commit has it.
 *
 * @throws GroveError `revision_not_found`, `history_unavailable`, `note_not_found`, `note_ambiguous`, `note_unclear`, `bad_path`, `section_not_found`, `section_ambiguous`,
 * `note_not_text`, `note_too_large`, `vault_degraded`, `files_exhausted`, `index_unavailable` for mentions, `bad_input` for an
 * offset beyond the end
 */
export async function runGet(scope: Scope, input: GetInput, bounds: GetBounds = BOUNDED): Promise<GetAnswer> {
  const located = await locateNote(scope, input.path);
  if ('wouldBe' in located) return missingJournal(scope, input.path, located);
  const { revision } = input;
  const now = await scope.view.read(located.row);
  const then = revision === null ? null : await readRevision(scope, now.row, { ...input, revision });
  const served = then ?? now;
  const facts = await describe(scope, located, served, input, bounds);
  if (then !== null) {
    facts.answer = { ...facts.answer, modified: then.revision.time, revision: then.revision };
    facts.remarks.unshift(...then.remarks);
  }
  const budget = bounds.text(jsonBytes(facts.answer));
  if (input.format === 'map')
    return { ...facts.answer, ...showMap(served, input.offset, budget), remarks: facts.remarks };
  const section = input.section ?? located.section;
  const content = showContent(served, {
    ...input,
    section,
    budget,
    frontmatterShown: facts.frontmatterShown,
    sourceHash: then === null ? scope.sourceHash(served.row) : null,
  });
  return { ...facts.answer, ...content.answer, remarks: [...facts.remarks, ...content.remarks] };
}

interface Described {
  answer: Omit<GetAnswer, 'remarks'>;
  readonly remarks: string[];
  /** False when the properties did not all fit: then the note is not whole in the answer. */
  readonly frontmatterShown: boolean;
}

async function describe(
  scope: Scope,
  { by }: Located,
  served: ServedNote,
  input: GetInput,
  bounds: GetBounds,
): Promise<Described> {
  const { row, note } = served;
  const remarks: string[] = [];
  const frontmatter = input.format === 'raw' ? { shown: {}, whole: true } : shownFrontmatter(note, bounds);
  if (!frontmatter.whole)
    remarks.push('The frontmatter is too long to show here; get the note with format raw.');
  if (by === 'search')
    remarks.push(`No note has that name; "${clip(row.path, 200)}" was found by its words.`);
  const broken = brokenFrontmatter(note);
  if (broken !== null) remarks.push(broken);
  const wants = new Set(input.include);
  const listBytes = bounds.listBytes(wants.size);
  const links = wants.has('links') ? listLinks(scope.view, row, note, listBytes) : {};
  const history = wants.has('history') ? await listNoteHistory(scope, row, bounds, listBytes) : null;
  if (history !== null) remarks.push(...history.remarks);
  const backlinks = wants.has('backlinks') ? await listBacklinks(scope, row, bounds, listBytes) : {};
  const mentions = wants.has('mentions') ? await listMentions(scope, row, bounds, listBytes) : null;
  if (mentions !== null) remarks.push(...mentions.remarks);
  return {
    answer: {
      found: true,
      ...noteFacts(scope, row),
      resolved: by,
      format: input.format,
      ...labels(row, bounds.labels),
      ...frontmatter.shown,
      ...(note.frontmatter.error === null
        ? {}
        : {
            frontmatter_error: {
              message: clip(note.frontmatter.error.message, 300),
              line: note.frontmatter.error.line,
            },
          }),
      size: row.size,
      words: row.words,
      created: isoTime(scope, scope.view.times(row).created),
      modified: isoTime(scope, scope.view.times(row).modified),
      ...links,
      ...backlinks,
      ...mentions?.answer,
      ...history?.answer,
    },
    remarks,
    frontmatterShown: frontmatter.whole,
  };
}

/** Type, tags and aliases, where the note has any; a note with very many shows the first. */
function labels(row: NoteRow, most: number): Pick<GetAnswer, 'type' | 'tags' | 'aliases'> {
  const short = (names: readonly string[]): string[] => names.slice(0, most).map((name) => clip(name, 100));
  return {
    ...(row.type === null ? {} : { type: clip(row.type, 100) }),
    ...(row.tags.length === 0 ? {} : { tags: short(row.tags) }),
    ...(row.aliases.length === 0 ? {} : { aliases: short(row.aliases) }),
  };
}

function brokenFrontmatter(note: NoteText): string | null {
  switch (note.frontmatter.status) {
    case 'broken':
      return 'The frontmatter does not parse: the content holds the whole file, frontmatter included.';
    case 'unclosed':
      return 'The frontmatter has no closing "---": the content holds the whole file.';
    default:
      return null;
  }
}

function missingJournal(scope: Scope, reference: string, { wouldBe, template }: Missing): GetAnswer {
  const shown = clip(reference, 100);
  const from = template === null ? '' : ` Such notes are made from the template ${template}.`;
  const call = JSON.stringify({ action: 'append', path: shown, content: '…' });
  return {
    found: false,
    would_be: wouldBe,
    ...(template === null ? {} : { template }),
    remarks: [
      `There is no note for "${shown}" yet; it would be ${wouldBe}.${from}`,
      ...(canWrite(scope) ? [`write_note ${call} makes it.`] : []),
    ],
  };
}
