import { type KeyWish, parseExpiry, parseScopes } from '@grove/access';
import type { Clock } from '@grove/core';
import { parseInput } from '@grove/service';
import { compileRules } from '../rule-sources.ts';
import { newKeyParameters } from './key-contract.ts';
import { requireRules } from './rule-lists.ts';

/**
 * What a key shall be, from the fields of a body or of a form.
 *
 * @throws GroveError `bad_input`, `unknown_parameter`, `bad_rule`
 * @example keys.create({ ...keyWishOf({ name: 'Laptop', deny_paths: 'Private' }, clock), vault: opened.slug })
 */
export function keyWishOf(body: Readonly<Record<string, unknown>>, clock: Clock): Omit<KeyWish, 'vault'> {
  const input = parseInput(newKeyParameters, body);
  const rules = { readPaths: input.read_paths, writePaths: input.write_paths, denyPaths: input.deny_paths };
  requireRules(body, input, ['read_paths', 'write_paths', 'deny_paths']);
  compileRules({ ...rules, readOnly: false });
  return {
    name: input.name,
    ...(input.scopes.length === 0 ? {} : { scopes: parseScopes(input.scopes) }),
    ...(input.expires === null ? {} : { expiresAt: parseExpiry(input.expires, clock) }),
    ...rules,
  };
}
