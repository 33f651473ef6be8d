import { coversTag, foldCase, foldTag } from '@grove/core';
import { judge, type TrailRules, trailViewRules } from '@grove/trails';
import { type NoteRow, parsePathRule, type View } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { rowByName } from '../notes/locate.ts';
import type { NoteVerdict, PreviewedNote, TrailPreview } from './contract.ts';
import { findNamedHidden } from './named-hidden.ts';

const MOST_WARNINGS = 100;

/**
 * What a trail of these rules would show, why a note is in or out, and where what it shows names what it does not.
 *
 * @param scope of the owner
 * @example (await opened.preview(parseTrailRules({ allowTags: ['garden'] })).warnings()).warnings
 */
export function previewTrail(scope: Scope, rules: TrailRules): TrailPreview {
  const { vault, view: owner } = scope;
  const view = vault.view(trailViewRules(rules));
  const notes = view.notes();
  return {
    visible: notes.map(previewed),
    hidden: owner.size - notes.length,
    remarks: remarksOn(rules, owner, view),
    verdictOf: (reference) => {
      const row = rowByName(scope, reference);
      return row === null ? null : verdictOf(rules, view, row);
    },
    warnings: (most = MOST_WARNINGS) => findNamedHidden({ owner, view, most }),
  };
}

function verdictOf(rules: TrailRules, view: View, row: NoteRow): NoteVerdict {
  const verdict = judge(rules, row);
  if (!verdict.visible || view.get(row.path) !== null) return { path: row.path, ...verdict };
  return {
    path: row.path,
    visible: false,
    reason: 'It became empty a moment ago, and is judged again once it has been so for two seconds.',
  };
}

function previewed({ path, title, name }: NoteRow): PreviewedNote {
  return title === name ? { path } : { path, title };
}

function remarksOn(rules: TrailRules, owner: View, view: View): string[] {
  const rows = owner.notes();
  const tags = new Set(rows.flatMap((row) => row.tags.map(foldTag)));
  const types = new Set(rows.flatMap(({ type }) => (type === null ? [] : [foldCase(type.trim())])));
  const hasTag = (rule: string): boolean => [...tags].some((tag) => coversTag(foldTag(rule), tag));
  const hasPath = (rule: string): boolean => {
    const { matches } = parsePathRule(rule);
    return rows.some(({ path }) => matches(path)) || owner.folders().some(({ path }) => matches(path));
  };
  return [
    ...without([...rules.allowTags, ...rules.denyTags], hasTag, 'No note has the tag'),
    ...without(
      [...rules.allowTypes, ...rules.denyTypes],
      (type) => types.has(foldCase(type)),
      'No note is of the type',
    ),
    ...without([...rules.allowPaths, ...rules.denyPaths], hasPath, 'Nothing lies at'),
    ...(view.size === 0 ? ['The trail shows no note.'] : []),
  ];
}

function without(rules: readonly string[], isThere: (rule: string) => boolean, said: string): string[] {
  return rules.filter((rule) => !isThere(rule)).map((rule) => `${said} "${rule}".`);
}
