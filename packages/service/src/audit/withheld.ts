import { isGroveError } from '@grove/core';
import type { SearchRequest } from '@grove/search';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { compileFilters, selectRows } from '../filters/select.ts';
import { expandPaths } from '../multi-get/expand.ts';
import { rowByName } from '../notes/locate.ts';
import type { QueryInput } from '../query/contract.ts';
import { planSearches } from '../query/plan.ts';

/** By their words: the searches of which it is known what matches. */
const COUNTED = new Set(['lex', 'text']);

/**
 * Notes that a search by words finds in the owner's View and not in this one; null where meaning or a regular expression
 * alone was asked, or a filter would read all texts once more.
 */
export async function withheldFromQuery(scope: Scope, input: QueryInput): Promise<number | null> {
  const { searches } = planSearches(input, scope.search.health().meaning !== null);
  const byWords = searches.filter(({ type }) => COUNTED.has(type));
  if (byWords.length === 0) return null;
  const total = async (who: Scope): Promise<number | null> => {
    const filters = await compileFilters(who, input);
    if (filters.readsTexts) return null;
    const rows = filters.everything ? null : await selectRows(who.view, filters);
    const request: SearchRequest = {
      searches: byWords,
      intent: null,
      within: rows === null ? null : Uint32Array.from(rows, (row) => row.id).sort(),
      limit: 1,
      offset: 0,
      snippets: 0,
    };
    return (await who.search.search(who.view, request)).total;
  };
  const [all, shown] = [await total(asOwner(scope)), await total(scope)];
  return all === null || shown === null ? null : Math.max(0, all - shown);
}

/** 1 for a name that means a note of the vault which this View does not show, else 0. */
export function withheldFromGet(scope: Scope, reference: string): number {
  try {
    const row = rowByName(asOwner(scope), reference);
    return row !== null && isHidden(scope, row) ? 1 : 0;
  } catch (error) {
    if (!isGroveError(error, 'note_ambiguous')) throw error;
    const several = asOwner(scope).view.resolve(reference);
    return several.kind === 'ambiguous' && several.candidates.some((row) => isHidden(scope, row)) ? 1 : 0;
  }
}

/** Notes that the names and globs mean in the owner's View, and that this one does not show. */
export async function withheldFromMultiGet(scope: Scope, paths: readonly string[]): Promise<number> {
  const { wanted } = await expandPaths(asOwner(scope), paths);
  return wanted.filter((item) => 'row' in item && isHidden(scope, item.row)).length;
}

function isHidden({ view }: Scope, { id }: NoteRow): boolean {
  return view.byId(id) === null;
}

/** For counting alone: nothing of what such a scope finds may go into an answer. */
function asOwner(scope: Scope): Scope {
  return { ...scope, view: scope.vault.ownerView() };
}
