import { GroveError } from '@grove/core';
import { parseProxy } from '@grove/server/addresses';
import { type CallLimits, DEFAULT_CALL_LIMITS } from '@grove/server/call-limit-settings';
import { commaList } from '../comma-list.ts';

/** The variables that limit calls, by what they limit. */
export const LIMIT_VARIABLES: Readonly<Record<keyof CallLimits, string>> = {
  reads: 'GROVE_LIMIT_READS',
  writes: 'GROVE_LIMIT_WRITES',
  operations: 'GROVE_LIMIT_OPERATIONS',
};

/** The variable that names proxies. */
export const PROXY_VARIABLE = 'GROVE_TRUST_PROXY';

/**
 * What a key may do in a minute.
 *
 * @param words the values of the variables; one that is empty or absent has its default
 * @throws GroveError `bad_input` with the variable's name
 * @example parseLimits({ reads: '0' }) // { reads: 0, writes: 20, operations: 300 }
 */
export function parseLimits(words: { readonly [Name in keyof CallLimits]?: string | undefined }): CallLimits {
  const read = (name: keyof CallLimits): number => {
    const text = words[name]?.trim() ?? '';
    if (text === '') return DEFAULT_CALL_LIMITS[name];
    if (/^\d{1,7}$/.test(text)) return Number(text);
    throw new GroveError('bad_input', {
      reason: `${LIMIT_VARIABLES[name]} is no whole number of calls a minute, up to 9999999; 0 sets no limit`,
    });
  };
  return { reads: read('reads'), writes: read('writes'), operations: read('operations') };
}

/**
 * The proxies whose word on where a request came from counts.
 *
 * @throws GroveError `bad_input`
 * @example parseProxies('loopback, 172.16.0.0/12') // ['loopback', '172.16.0.0/12']
 */
export function parseProxies(text: string | undefined): readonly string[] {
  return commaList(text ?? '').map((entry) => parseProxy(entry, PROXY_VARIABLE));
}
