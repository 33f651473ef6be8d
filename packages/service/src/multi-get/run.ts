import { isGroveError } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { FRAME_BYTES, fillPage, jsonBytes, TEXT_BYTES } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { openCursor, sealCursor } from '../cursors/cursor.ts';
import { toErrorPayload } from '../errors/payload.ts';
import {
  type Failure,
  type ManyNote,
  MOST_NOTES,
  type MultiGetAnswer,
  type MultiGetInput,
} from './contract.ts';
import { expandPaths, type Wanted } from './expand.ts';
import { charsOf, showNote, withoutText } from './show.ts';

const REST_BYTES = 3 * 1024;
/** What the notes take of an answer's text, and again of its structured content. */
const NOTES_BYTES = TEXT_BYTES - FRAME_BYTES - REST_BYTES;

/**
 * Reads up to 50 notes, whole ones until the budget is used; the rest is named with its sizes and a cursor goes on.
 *
 * @throws GroveError `bad_cursor`, `bad_input`, `vault_degraded`, `files_exhausted`
 */
export async function runMultiGet(scope: Scope, input: MultiGetInput): Promise<MultiGetAnswer> {
  const { paths, format } = input;
  const subject = { operation: 'multi_get', input: { paths, format } };
  const from = input.cursor === null ? 0 : readIndex(openCursor(scope, subject, input.cursor));
  const { wanted, remarks } = await expandPaths(scope, paths);
  const page = wanted.slice(from, from + MOST_NOTES);
  const filled = await fill(scope, page, input);
  const next = from + filled.used;
  const named = wanted
    .slice(next, next + MOST_NOTES)
    .flatMap((item) => ('row' in item ? [nameRest(item.row)] : []));
  const rest = next < wanted.length ? [...fillPage(named, REST_BYTES).items] : [];
  const more = next < wanted.length;
  const unnamed = wanted.length - next - rest.length;
  return {
    notes: filled.notes,
    errors: filled.errors,
    rest,
    total: wanted.length,
    remarks: [
      ...remarks,
      ...(filled.notes.some((note) => note.too_large)
        ? ['A note too long for one answer is read with get.']
        : []),
      ...(more && unnamed > 0 ? [`${unnamed} more are not named here.`] : []),
    ],
    ...(more ? { cursor: sealCursor(scope, subject, next) } : {}),
  };
}

interface Filled {
  readonly notes: ManyNote[];
  readonly errors: Failure[];
  /** How many of the wanted ones had their turn. */
  readonly used: number;
}

async function fill(scope: Scope, wanted: readonly Wanted[], input: MultiGetInput): Promise<Filled> {
  const notes: ManyNote[] = [];
  const errors: Failure[] = [];
  let bytes = NOTES_BYTES;
  let chars = input.max_chars ?? TEXT_BYTES;
  let used = 0;
  for (const item of wanted) {
    const shown = await showWanted(scope, item, input);
    if ('error' in shown) errors.push(shown);
    else {
      const fits = jsonBytes(shown) <= bytes && charsOf(shown) <= chars;
      // One that fits no answer at all is named and passed over; one that fits another waits for it.
      const alone = jsonBytes(shown) > NOTES_BYTES || charsOf(shown) > (input.max_chars ?? TEXT_BYTES);
      if (!fits && !alone) break;
      notes.push(fits ? shown : withoutText(shown));
      if (fits) chars -= charsOf(shown);
    }
    bytes -= jsonBytes(notes.at(-1) ?? errors.at(-1));
    used += 1;
    if (bytes <= 0) break;
  }
  return { notes, errors, used };
}

async function showWanted(scope: Scope, item: Wanted, input: MultiGetInput): Promise<ManyNote | Failure> {
  if ('error' in item) return item;
  try {
    return showNote(scope, item.asked, await scope.view.read(item.row), input.format);
  } catch (error) {
    const isOfAll = isGroveError(error, 'vault_degraded') || isGroveError(error, 'files_exhausted');
    if (!isGroveError(error) || isOfAll) throw error;
    return { asked: item.asked, error: toErrorPayload(error) };
  }
}

function nameRest(row: NoteRow): { path: string; size: number } {
  return { path: row.path, size: row.size };
}

function readIndex(position: unknown): number {
  return typeof position === 'number' && Number.isSafeInteger(position) && position >= 0 ? position : 0;
}
