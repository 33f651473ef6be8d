import { parseExpiry } from '@grove/access';
import { GroveError, systemClock } from '@grove/core';
import type { TrailRuleTexts } from '@grove/server';
import type { TrailRules } from '@grove/trails';
import { type Command, InvalidArgumentError } from 'commander';
import { commaList } from '../comma-list.ts';
import { joinLists } from '../verbs/option-values.ts';

/** What a trail shall be, as it is typed. */
export interface TrailWords {
  readonly allowTags?: string;
  readonly denyTags?: string;
  readonly allowTypes?: string;
  readonly denyTypes?: string;
  readonly allowPaths?: string;
  readonly denyPaths?: string;
  readonly writeFolders?: string;
  readonly reads?: number;
  readonly writes?: number;
  readonly expires?: string;
}

/** Each list of rules with its flag and what it says. */
const LISTS: Readonly<Record<keyof TrailRules, { readonly flag: string; readonly says: string }>> = {
  allowTags: { flag: 'allow-tags', says: 'only notes with one of these tags, or one nested in it' },
  denyTags: { flag: 'deny-tags', says: 'no note with one of these tags' },
  allowTypes: { flag: 'allow-types', says: 'only notes of one of these types' },
  denyTypes: { flag: 'deny-types', says: 'no note of one of these types' },
  allowPaths: { flag: 'allow-paths', says: "only these folders or globs; '**' alone shares everything" },
  denyPaths: { flag: 'deny-paths', says: 'never these folders or globs' },
  writeFolders: { flag: 'write-folders', says: 'folders in which its notes may be written (default: none)' },
};
const NAMES = Object.keys(LISTS) as (keyof TrailRules)[];

/** Adds the options that say what a trail shall be. */
export function trailOptions(
  command: Command,
  defaults: { readonly reads: string; readonly writes: string },
): Command {
  for (const name of NAMES) {
    const { flag, says } = LISTS[name];
    command.option(
      `--${flag} <list>`,
      name === 'allowTags' ? `${says}; commas between them` : says,
      joinLists,
    );
  }
  return command
    .option('--reads <number>', `calls a minute that read; 0 for no limit${defaults.reads}`, callsAMinute)
    .option('--writes <number>', `calls a minute that write; 0 for none${defaults.writes}`, callsAMinute)
    .option('--expires <when>', '30d, 12h, 2w, a day such as 2027-01-31, or never');
}

/** The names of the lists, as `--clear` takes them. */
export const CLEARABLE: readonly string[] = NAMES.map((name) => LISTS[name].flag);

/**
 * The rules as they are typed, over those that are there.
 *
 * @param cleared flags of lists whose rules go
 * @throws GroveError `bad_input` for a list that names nothing, or a word that is no list
 */
export function ruleTexts(
  words: TrailWords,
  before?: TrailRules,
  cleared: readonly string[] = [],
): TrailRuleTexts {
  const unknown = cleared.find((flag) => !CLEARABLE.includes(flag));
  if (unknown !== undefined)
    throw new GroveError('bad_input', {
      reason: `--clear takes ${CLEARABLE.join(', ')}; "${unknown.slice(0, 40)}" is none of them`,
    });
  const listOf = (name: keyof TrailRules): readonly string[] => {
    const text = words[name];
    if (text !== undefined) return listFrom(`--${LISTS[name].flag}`, text);
    return cleared.includes(LISTS[name].flag) ? [] : (before?.[name] ?? []);
  };
  return {
    allowTags: listOf('allowTags'),
    denyTags: listOf('denyTags'),
    allowTypes: listOf('allowTypes'),
    denyTypes: listOf('denyTypes'),
    allowPaths: listOf('allowPaths'),
    denyPaths: listOf('denyPaths'),
    writeFolders: listOf('writeFolders'),
  };
}

/** True when the words change rules. */
export function changesRules(words: TrailWords, cleared: readonly string[]): boolean {
  return cleared.length > 0 || NAMES.some((name) => words[name] !== undefined);
}

/** Limits and expiry as they are typed. Throws `bad_input`. */
export function limitsOf({ reads, writes, expires }: TrailWords): {
  reads?: number;
  writes?: number;
  expiresAt?: number | null;
} {
  return {
    ...(reads === undefined ? {} : { reads }),
    ...(writes === undefined ? {} : { writes }),
    ...(expires === undefined ? {} : { expiresAt: parseExpiry(expires, systemClock) }),
  };
}

function listFrom(flag: string, text: string): readonly string[] {
  const list = commaList(text);
  // A list of nothing would limit nothing.
  if (list.length === 0)
    throw new GroveError('bad_input', { reason: `${flag} names nothing; leave it out to set no limit` });
  return list;
}

function callsAMinute(value: string): number {
  if (!/^\d{1,7}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(value);
}
