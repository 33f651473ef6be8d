import { parseExpiry, type TrailWish } from '@grove/access';
import type { Clock } from '@grove/core';
import { type InputOf, type OpenedVault, parseInput } from '@grove/service';
import type { TrailRules } from '@grove/trails';
import { trailRulesOf } from '../trails/rule-texts.ts';
import { requireRules } from './rule-lists.ts';
import { newTrailParameters, RULE_NAMES } from './trail-contract.ts';

/** The lists of the rules of a trail, as programs name them. */
export type TrailLists = Pick<InputOf<typeof newTrailParameters>, (typeof RULE_NAMES)[number]>;

/**
 * What a trail shall be, from the fields of a body or of a form.
 *
 * @param opened its vault
 * @throws GroveError `bad_input`, `unknown_parameter`, `bad_rule`
 * @example trails.create(trailWishOf({ name: 'Book club', allow_tags: 'books' }, opened, clock))
 */
export function trailWishOf(
  body: Readonly<Record<string, unknown>>,
  opened: Pick<OpenedVault, 'slug' | 'noteTypes'>,
  clock: Clock,
): TrailWish {
  const input = parseInput(newTrailParameters, body);
  requireRules(body, input, RULE_NAMES);
  return {
    name: input.name,
    vault: opened.slug,
    rules: rulesOfLists(input, opened),
    ...(input.reads === null ? {} : { reads: input.reads }),
    ...(input.writes === null ? {} : { writes: input.writes }),
    ...(input.expires === null ? {} : { expiresAt: parseExpiry(input.expires, clock) }),
  };
}

/** Parses lists of rules of a trail of this vault. Throws `bad_rule`. */
export function rulesOfLists(input: TrailLists, opened: Pick<OpenedVault, 'noteTypes'>): TrailRules {
  return trailRulesOf(opened, {
    allowTags: input.allow_tags,
    denyTags: input.deny_tags,
    allowTypes: input.allow_types,
    denyTypes: input.deny_types,
    allowPaths: input.allow_paths,
    denyPaths: input.deny_paths,
    writeFolders: input.write_folders,
  });
}
