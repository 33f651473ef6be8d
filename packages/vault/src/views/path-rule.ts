import { foldPath, GroveError } from '@grove/core';
import type { PathRule, ViewRules } from '../view.ts';
import { compileGlob } from './glob.ts';

const MAX_RULE = 1024;

/** Rules that leave everything readable and writable. */
export const allowAll: ViewRules = { readPaths: [], writePaths: [], denyPaths: [], readOnly: false };

/**
 * Parses one entry of a path list: a vault-relative folder (or note), which covers itself and all below by
 * whole segments, or a glob in which only `*` (within a segment) and `**` (across segments) are special.
 * Both sides are compared after NFC and case folding. Throws `bad_rule` for an empty or absolute rule, for
 * `.` and `..`, backslashes, control characters and more than 1,024 characters.
 *
 * @example parsePathRule('Projects').matches('projects/Grove.md') // true
 */
export function parsePathRule(source: string): PathRule {
  const rule = source.trim().replace(/\/+$/, '');
  checkRule(source, rule);
  const folded = foldPath(rule);
  if (!folded.includes('*')) {
    const below = `${folded}/`;
    return {
      source,
      matches: (path) => {
        const candidate = foldPath(path);
        return candidate === folded || candidate.startsWith(below);
      },
    };
  }
  const matches = compileGlob(folded);
  return { source, matches: (path) => matches(foldPath(path)) };
}

/**
 * What `rules` let a caller read. A denied folder hides all below it, also where a glob named the folder; a
 * glob that allows must fit the note itself. So each side errs on the closed one.
 */
export function readableBy(rules: ViewRules): (path: string) => boolean {
  const { readPaths, denyPaths } = rules;
  if (readPaths.length === 0 && denyPaths.length === 0) return () => true;
  return (path) => {
    if (readPaths.length > 0 && !readPaths.some((rule) => rule.matches(path))) return false;
    return (
      denyPaths.length === 0 || !ancestry(path).some((part) => denyPaths.some((rule) => rule.matches(part)))
    );
  };
}

/** The path and each folder above it. */
function ancestry(path: string): string[] {
  const parts = [path];
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    parts.push(path.slice(0, slash));
  }
  return parts;
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
  for (const segment of rule.split('/')) {
    if (segment === '') throw refuse('a folder name is empty');
    if (segment === '.' || segment === '..') throw refuse('it leaves its folder');
  }
}
