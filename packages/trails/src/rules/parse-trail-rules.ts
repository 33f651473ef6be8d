import { foldCase, foldTag, GroveError, nearest, stripEnd } from '@grove/core';
import { parsePathRule } from '@grove/vault';
import { NO_TRAIL_RULES, type TrailRules } from './trail-rules.ts';

/** Rules as they come in. A list that is left out is empty. */
export type GivenTrailRules = { readonly [List in keyof TrailRules]?: readonly string[] | undefined };

/** What the vault has, so that a slip of the pen does not pass for a rule. */
export interface KnownNames {
  /** Types of its notes and of its settings. */
  readonly types: readonly string[];
}

const MOST_RULES = 200;
const LONGEST_NAME = 200;

/** What to do next, where the catalogue's word for paths would mislead. */
const HINTS = {
  tag: 'Name a tag such as "garden"; it covers those nested in it.',
  type: 'Name a type as the frontmatter of the notes has it, such as "plant".',
} as const;
type Kind = keyof typeof HINTS;

/**
 * Parses the rules of a trail.
 *
 * @param known where given, types must be among those
 * @throws GroveError `bad_rule` with the reason: an empty or absolute rule, a tag or type that no note can have, an
 * unknown type, more than 200 rules in a list, or no rule at all beside the write folders, which would share the whole
 * vault
 * @example parseTrailRules({ allowTags: ['#garden'] }).allowTags // ['garden']
 */
export function parseTrailRules(given: GivenTrailRules, known?: KnownNames): TrailRules {
  const rules: TrailRules = {
    allowTags: parseList(given.allowTags, parseTag),
    denyTags: parseList(given.denyTags, parseTag),
    allowTypes: parseList(given.allowTypes, (type) => parseType(type, known)),
    denyTypes: parseList(given.denyTypes, (type) => parseType(type, known)),
    allowPaths: parseList(given.allowPaths, parsePath),
    denyPaths: parseList(given.denyPaths, parsePath),
    writeFolders: parseList(given.writeFolders, parseWriteFolder),
  };
  const lists = Object.entries(rules).filter(([name]) => name !== 'writeFolders');
  if (lists.every(([, list]) => list.length === 0))
    throw new GroveError(
      'bad_rule',
      { rule: '', reason: 'a trail without rules would share the whole vault' },
      {
        hint: 'Say which notes it shows, by tags, types or paths; "**" as the only path that is allowed shares all of them.',
      },
    );
  return rules;
}

function parseList(given: readonly string[] | undefined, parse: (rule: string) => string): readonly string[] {
  if (given === undefined) return NO_TRAIL_RULES.allowTags;
  if (given.length > MOST_RULES)
    throw refused(`${given.length} rules`, `a list holds at most ${MOST_RULES} of them`);
  const parsed = new Map<string, string>();
  for (const rule of given) {
    const source = parse(rule);
    const folded = foldCase(source);
    if (!parsed.has(folded)) parsed.set(folded, source);
  }
  return [...parsed.values()];
}

function parseTag(given: string): string {
  const tag = stripEnd(given.trim().replace(/^#+/, ''), '/').normalize('NFC');
  checkName(given, tag, 'tag');
  if (tag.includes('*')) throw refused(given, 'a tag covers those nested in it without a star', 'tag');
  if (/[\s,;"'`#]/u.test(tag)) throw refused(given, 'a tag is one word', 'tag');
  if (tag.startsWith('/') || foldTag(tag).includes('//'))
    throw refused(given, 'a part of the tag is empty', 'tag');
  return tag;
}

function parseType(given: string, known: KnownNames | undefined): string {
  const type = given.trim().normalize('NFC');
  checkName(given, type, 'type');
  if (known === undefined || known.types.some((name) => foldCase(name) === foldCase(type))) return type;
  const near = nearest(type, known.types, 3);
  const guess = near.length === 0 ? '' : `; did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
  throw refused(given, `no note of the vault has this type${guess}`, 'type');
}

function parsePath(given: string): string {
  const source = stripEnd(given.trim(), '/').normalize('NFC');
  parsePathRule(given);
  return source;
}

/** A folder by its name: what may be written must be plain to whoever reads the rule. */
function parseWriteFolder(given: string): string {
  const folder = parsePath(given);
  if (folder.includes('*')) throw refused(given, 'a write folder is named in full, without a star');
  if (/\.md$/i.test(folder)) throw refused(given, 'it names a note; notes are written in folders');
  return folder;
}

function checkName(given: string, name: string, kind: Kind): void {
  if (name === '') throw refused(given, `the ${kind} is empty`, kind);
  if (name.length > LONGEST_NAME) throw refused(given, `it is longer than ${LONGEST_NAME} characters`, kind);
  if (!name.isWellFormed()) throw refused(given, 'it is not valid Unicode', kind);
  if (/[\u0000-\u001f\u007f]/.test(name)) throw refused(given, 'it holds a control character', kind);
}

/** @param kind of the rule, where it is no path */
function refused(rule: string, reason: string, kind?: Kind): GroveError {
  const data = { rule: rule.slice(0, 200).toWellFormed(), reason };
  return new GroveError('bad_rule', data, kind === undefined ? {} : { hint: HINTS[kind] });
}
