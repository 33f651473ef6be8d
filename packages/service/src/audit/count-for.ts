import { isGroveError } from '@grove/core';
import type { Scope } from '../contract.ts';
import { get } from '../get/operation.ts';
import { multiGet } from '../multi-get/operation.ts';
import { query } from '../query/operation.ts';
import { withheldFromGet, withheldFromMultiGet, withheldFromQuery } from './withheld.ts';

/** How many notes a call was answered with, and how many its caller's View kept from it. No text, no names. */
export interface CallCount {
  /** Notes in the answer; null where the call is not about finding notes. */
  readonly found: number | null;
  /**
   * For a trail: how many more the owner's View would have found, counted anew. To be called once the answer is on its
   * way. Null for everybody else, and where that is not counted (meaning, regular expressions, lists). Never rejects.
   */
  readonly later: () => Promise<number | null>;
}

/**
 * What the audit keeps of one call.
 *
 * @param tool an operation's name, or `search` and `fetch` of the search profile
 * @param input as it came
 * @param output the structured answer, errors included; null where there was none
 * @example
 * const { found, later } = countFor(scope, 'query', { query: 'beans' }, answer.structured);
 */
export function countFor(scope: Scope, tool: string, input: unknown, output: unknown): CallCount {
  const answer = isObject(output) ? output : {};
  return {
    found: foundIn(tool, answer),
    later: async () => {
      if (!scope.isTrail) return null;
      try {
        return await withheld(scope, tool, input, answer);
      } catch (error) {
        // What cannot be asked again, because it was refused or the index is gone meanwhile, withheld nothing known.
        if (isGroveError(error)) return null;
        throw error;
      }
    },
  };
}

type Loose = Readonly<Record<string, unknown>>;

function foundIn(tool: string, answer: Loose): number | null {
  const count = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
  const isRefused = 'error' in answer;
  switch (tool) {
    case 'query':
      if (Array.isArray(answer.passages))
        return new Set(answer.passages.map((passage) => (isObject(passage) ? passage.path : null))).size;
      return count(answer.hits);
    case 'search':
      return count(answer.results);
    case 'get':
      return !isRefused && answer.found === true ? 1 : 0;
    case 'fetch':
      return !isRefused && typeof answer.id === 'string' ? 1 : 0;
    case 'multi_get':
      return count(answer.notes);
    case 'list_notes':
      return answer.of === 'notes' || isRefused ? count(answer.notes) : null;
    default:
      return null;
  }
}

async function withheld(scope: Scope, tool: string, input: unknown, answer: Loose): Promise<number | null> {
  const given = isObject(input) ? input : {};
  switch (tool) {
    case 'query':
      return await withheldFromQuery(scope, query.parse(input));
    case 'search':
      return await withheldFromQuery(scope, query.parse({ query: given.query }));
    case 'get':
      return foundIn(tool, answer) === 1 ? 0 : withheldFromGet(scope, get.parse(input).path);
    case 'fetch':
      return foundIn(tool, answer) === 1 ? 0 : withheldFromGet(scope, get.parse({ path: given.id }).path);
    case 'multi_get':
      return await withheldFromMultiGet(scope, multiGet.parse(input).paths);
    default:
      return null;
  }
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
