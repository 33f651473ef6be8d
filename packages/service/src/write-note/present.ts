import { fenceText, plural, remarkLines } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import { nameLine } from '../answers/present-facts.ts';
import { FRAME_BYTES, fillPage, TEXT_BYTES } from '../answers/size.ts';
import type { WriteNoteAnswer, WriteNoteItem } from './output.ts';

/** What is shown of one operation; of a batch's item too. */
type Shown = Omit<WriteNoteItem, 'op' | 'error' | 'remarks'>;

/** The answer of write_note as Markdown. */
export function presentWriteNote(answer: WriteNoteAnswer): string {
  const { results, dry_run = false, remarks } = answer;
  if (results === undefined) return oneLines(answer, dry_run, remarks).join('\n');
  const failed = results.filter(({ error }) => error !== undefined).length;
  const headline = dry_run
    ? `Dry run of ${plural(results.length, 'operation')}: nothing was written.`
    : `${plural(results.length - failed, 'operation')} done${failed === 0 ? '.' : `, ${failed} refused.`}`;
  const shown = fillPage(
    results.map((item) => itemLines(item, dry_run).join('\n')),
    TEXT_BYTES - FRAME_BYTES,
  ).items;
  const more = results.length - shown.length;
  return [
    headline,
    ...shown,
    ...(more === 0 ? [] : [`The other ${plural(more, 'result')} would not fit here.`]),
    ...remarkLines(remarks),
  ].join('\n');
}

function itemLines(item: WriteNoteItem, dryRun: boolean): string[] {
  const { op, error, remarks, ...result } = item;
  if (error !== undefined) return [`${op}. Error ${error.code}: ${error.message}`, `Next: ${error.next}`];
  const [first, ...others] = oneLines(result, dryRun, remarks ?? []);
  return [`${op}. ${first}`, ...others];
}

function oneLines(result: Shown, dryRun: boolean, remarks: readonly string[]): string[] {
  const {
    path = '',
    title,
    source_hash,
    content_hash,
    commit,
    diff,
    conflict_saved,
    matches,
    applied,
    skipped,
  } = result;
  const lines = [`${whatHappened(result, dryRun)}: ${nameLine({ path, title })}${sizes(result)}`];
  if (source_hash !== undefined)
    lines.push(`source_hash ${source_hash} · content_hash ${content_hash ?? ''}`);
  if (commit !== undefined) lines.push(`commit ${commit.slice(0, 12)}`);
  if (matches?.some((count) => count !== 1)) lines.push(`Matches: ${matches.join(', ')}`);
  if (applied !== undefined) lines.push(`Tags: ${applied.map(tagText).join(', ')}`);
  if (skipped !== undefined)
    lines.push(
      `Skipped: ${skipped.map((tag) => `${tagText(tag)}: ${SKIPPED[tag.reason] ?? tag.reason}`).join('; ')}`,
    );
  for (const copy of conflict_saved ?? [])
    lines.push(`Somebody saved the note at the same moment; their text is in ${copy}.`);
  if (result.moved_from !== undefined) lines.push(`From: ${oneLine(result.moved_from)}`);
  if (result.mended !== undefined)
    lines.push(
      `Links ${dryRun ? 'to mend' : 'mended'} in: ${result.mended.map((note) => `${oneLine(note.path)} (${note.links})`).join(', ')}`,
    );
  if (result.suggestions !== undefined)
    lines.push(`Could be links: ${result.suggestions.map(suggestionText).join('; ')}`);
  lines.push(...remarkLines(remarks));
  if (diff !== undefined) lines.push(fenceText(diff, 'diff'));
  if (result.undo !== undefined) lines.push(`Undo: write_note ${JSON.stringify(result.undo)}`);
  return lines;
}

function tagText({ tag, action, location }: NonNullable<Shown['applied']>[number]): string {
  return `${action} ${oneLine(tag)} (${location})`;
}

function suggestionText({ link, text, line }: NonNullable<Shown['suggestions']>[number]): string {
  return `"${oneLine(text)}" in line ${line} as ${oneLine(link)}`;
}

/** Why a tag was left, in words. */
const SKIPPED: Readonly<Record<string, string>> = {
  already_there: 'it is there already',
  not_there: 'it is not there',
  not_a_tag: 'this is no tag',
  cannot_change: 'it cannot be changed there',
};

/** Actions that are told by their own word. */
const DONE: Readonly<Record<string, string>> = { move: 'Moved', delete: 'Deleted', restore: 'Restored' };

function whatHappened(result: Shown, dryRun: boolean): string {
  const { action, created, already_there, merged, replayed, skipped = [] } = result;
  if (replayed) return 'Done before, by this idempotency key';
  if (already_there) {
    const isDone = skipped.every(({ reason }) => reason === 'already_there' || reason === 'not_there');
    return isDone ? 'Already there, nothing was written' : 'Nothing was written';
  }
  const done = DONE[action ?? ''];
  if (done !== undefined) return dryRun ? `Would ${action}` : done;
  if (dryRun) return created ? 'Would create' : 'Would change';
  if (merged) return 'Changed, and merged with what was written meanwhile';
  return created ? 'Created' : 'Changed';
}

function sizes({ size_before, size_after }: Shown): string {
  if (size_after === undefined) return '';
  const after = plural(size_after, 'byte');
  return size_before === undefined || size_before === size_after
    ? ` · ${after}`
    : ` · ${size_before.toLocaleString('en')} to ${after}`;
}
