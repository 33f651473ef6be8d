import { fillPage } from '../answers/size.ts';
import type { WriteNoteItem } from './output.ts';

/** Bytes of JSON that the results of a batch may take. */
const RESULTS_BYTES = 28 * 1024;
/** In longer batches a note is told by its path alone. */
const WITH_LINKS = 20;

/**
 * Results of a batch that fit an answer: of a long one without addresses, and of one that is still too long the last
 * ones only by how they ended. What was done is done either way.
 */
export function boundedResults(items: readonly WriteNoteItem[]): WriteNoteItem[] {
  const plain = items.length <= WITH_LINKS ? items : items.map(withoutAddresses);
  const { items: whole } = fillPage(plain, RESULTS_BYTES);
  return [...whole, ...plain.slice(whole.length).map(ending)];
}

function withoutAddresses({ link: _, url: __, title: ___, ...item }: WriteNoteItem): WriteNoteItem {
  return item;
}

function ending({ op, error, already_there, source_hash }: WriteNoteItem): WriteNoteItem {
  return {
    op,
    ...(already_there === undefined ? {} : { already_there }),
    ...(source_hash === undefined ? {} : { source_hash }),
    ...(error === undefined ? {} : { error: { code: error.code, message: '', next: '' } }),
  };
}
