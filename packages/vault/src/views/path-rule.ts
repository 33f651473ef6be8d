import { foldCase, GroveError, stripEnd } from '@grove/core';
import type { PathRule, ViewRules } from '../view.ts';
import { compileGlob } from './glob.ts';

const MAX_RULE = 1024;

/** Rules that leave everything readable and writable. */
export const allowAll: ViewRules = { readPaths: [], writePaths: [], denyPaths: [], readOnly: false };

/**
 * Parses one entry of a path list: a vault-relative folder (or note), which covers itself and all below by
 * whole segments, or a glob in which only `*` (within a segment) and `**` (across segments) are special.
 * Both sides are compared after NFC and case folding. Throws `bad_rule` for an empty or absolute rule, for
 * `.` and `..`, backslashes, control characters, `?`, `{a,b}` and half of it, and more than 1,024 characters.
 *
 * @example parsePathRule('Projects').matches('projects/Grove.md') // true
 */
export function parsePathRule(source: string): PathRule {
  const rule = stripEnd(source.trim(), '/');
  checkRule(source, rule);
  const folded = foldCase(rule);
  const below = `${folded}/`;
  const matchesFolded = folded.includes('*')
    ? compileGlob(folded)
    : (path: string) => path === folded || path.startsWith(below);
  const parsed: ParsedRule = { source, matchesFolded, matches: (path) => matchesFolded(foldCase(path)) };
  return parsed;
}

/** A rule that can be asked about many paths without folding each of them for each rule. */
interface ParsedRule extends PathRule {
  readonly matchesFolded: (path: string) => boolean;
}

/**
 * What `rules` let a caller read. A denied folder hides all below it, also where a glob named the folder; a
 * glob that allows must fit the note itself. So each side errs on the closed one.
 */
export function readableBy(rules: ViewRules): (path: string) => boolean {
  const allowed = rules.readPaths.map(onFolded);
  const denied = rules.denyPaths.map(onFolded);
  if (allowed.length === 0 && denied.length === 0) return () => true;
  // One verdict for all notes of a folder.
  const deniedFolders = new Map<string, boolean>([['', false]]);
  const isDeniedFolder = (folder: string): boolean => {
    const known = deniedFolders.get(folder);
    if (known !== undefined) return known;
    const verdict = denied.some((matches) => matches(folder)) || isDeniedFolder(above(folder));
    deniedFolders.set(folder, verdict);
    return verdict;
  };
  return (path) => {
    const folded = foldCase(path);
    if (allowed.length > 0 && !allowed.some((matches) => matches(folded))) return false;
    if (denied.length === 0) return true;
    return !isDeniedFolder(above(folded)) && !denied.some((matches) => matches(folded));
  };
}

function above(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function onFolded(rule: PathRule): (path: string) => boolean {
  return 'matchesFolded' in rule ? (rule as ParsedRule).matchesFolded : (path) => rule.matches(path);
}

function checkRule(source: string, rule: string): void {
  const refuse = (reason: string): GroveError =>
    new GroveError('bad_rule', { rule: source.slice(0, 200).toWellFormed(), reason });
  if (source.trim() === '') throw refuse('it is empty');
  if (source.length > MAX_RULE) throw refuse('it is longer than 1,024 characters');
  if (!source.isWellFormed()) throw refuse('it is not valid Unicode');
  if (source.trim().startsWith('/') || /^[a-z]:/i.test(rule)) throw refuse('it is absolute');
  if (rule.includes('\\')) throw refuse('it holds a backslash');
  if (/[\u0000-\u001f\u007f]/.test(rule)) throw refuse('it holds a control character');
  // Taken literally these would fit nothing: a deny rule that hides nothing must not pass for one that does.
  // A list of rules is cut at its commas, so that `{a,b}` comes in halves.
  if (
    rule.includes('?') ||
    /\{[^{}]*,[^{}]*\}/.test(rule) ||
    /[{}]/.test(rule.replaceAll(/\{[^{},]*\}/g, ''))
  )
    throw refuse('only "*" and "**" are special; write one rule for each choice');
  for (const segment of rule.split('/')) {
    if (segment === '') throw refuse('a folder name is empty');
    if (segment === '.' || segment === '..') throw refuse('it leaves its folder');
  }
}
