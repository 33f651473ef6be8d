import { type KeyWish, parseExpiry, parseScopes } from '@grove/access';
import { GroveError, systemClock } from '@grove/core';
import { parsePathRule } from '@grove/vault';
import { commaList } from '../comma-list.ts';

/** What a key shall be, as it is typed. */
export interface KeyWords {
  readonly scopes?: string;
  readonly expires?: string;
  readonly readPaths?: string;
  readonly writePaths?: string;
  readonly denyPaths?: string;
}

/**
 * Reads what a key shall be; nothing is written before all of it is valid.
 *
 * @throws GroveError `bad_input`, `bad_rule`
 */
export function parseKeyWish(vault: string, name: string, words: KeyWords): KeyWish {
  const { scopes, expires, readPaths, writePaths, denyPaths } = words;
  return {
    name,
    vault,
    ...(scopes === undefined ? {} : { scopes: parseScopes(scopes) }),
    ...(expires === undefined ? {} : { expiresAt: parseExpiry(expires, systemClock) }),
    readPaths: rulesOf('--read-paths', readPaths),
    writePaths: rulesOf('--write-paths', writePaths),
    denyPaths: rulesOf('--deny-paths', denyPaths),
  };
}

function rulesOf(flag: string, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const rules = commaList(text);
  // A list of nothing would limit nothing.
  if (rules.length === 0)
    throw new GroveError('bad_input', { reason: `${flag} names no folder; leave it out to set no limit` });
  for (const rule of rules) parsePathRule(rule);
  return rules;
}
