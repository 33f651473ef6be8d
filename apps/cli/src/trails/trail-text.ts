import type { TrailFacts } from '@grove/access';
import type { PreviewAnswer } from '@grove/server';
import type { TrailRules } from '@grove/trails';
import { momentText } from '../keys/key-table.ts';
import { relativeTime } from '../keys/relative-time.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { visible } from '../terminal/print.ts';

const HEAD = ['id', 'name', 'shows', 'calls a minute', 'made', 'expires', 'last use', 'state'];
const WORDS: Readonly<Record<keyof TrailRules, string>> = {
  allowTags: 'tags',
  denyTags: 'not tags',
  allowTypes: 'types',
  denyTypes: 'not types',
  allowPaths: 'paths',
  denyPaths: 'not paths',
  writeFolders: 'writes in',
};
/** Lines of notes and warnings that a preview prints. */
const MOST_LINES = 50;

/** The trails as a table, one a line. */
export function trailTable(trails: readonly TrailFacts[], now: number): string {
  return plainTable(
    HEAD,
    trails.map((trail) => [
      trail.id,
      trail.name,
      trailRulesText(trail.rules),
      callsText(trail),
      relativeTime(trail.createdAt, now),
      momentText(trail.expiresAt, now),
      momentText(trail.lastUsedAt, now),
      trail.state,
    ]),
  );
}

/** The rules on one line. */
export function trailRulesText(rules: TrailRules): string {
  return Object.entries(WORDS)
    .flatMap(([name, words]) => {
      const list = rules[name as keyof TrailRules];
      return list.length === 0 ? [] : [`${words} ${visible(list.join(','))}`];
    })
    .join('; ');
}

/** What a trail is on one line: its rules, limits and end. */
export function describeTrail(trail: TrailFacts, now: number): string {
  const { expiresAt, state } = trail;
  const end = expiresAt === null ? 'does not expire' : `expires ${relativeTime(expiresAt, now)}`;
  return [trailRulesText(trail.rules), `${callsText(trail)} a minute`, end, state, trail.id].join('; ');
}

/**
 * What a trail shows, as lines.
 *
 * @param shows another word for a trail that is not made yet
 */
export function previewText(name: string, preview: PreviewAnswer, shows = 'shows'): string {
  const { visible: shown, hidden, notes, remarks, verdict, warnings, complete } = preview;
  const more = shown - Math.min(notes.length, MOST_LINES);
  return [
    ...(verdict === null
      ? []
      : [`${verdict.path} is ${verdict.visible ? 'in' : 'out'}. ${verdict.reason}`, '']),
    `The trail "${name}" ${shows} ${counted(shown, 'note')} of ${shown + hidden}.`,
    ...remarks,
    ...notes
      .slice(0, MOST_LINES)
      .map(({ path, title }) => `  ${path}${title === undefined ? '' : ` (${title})`}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(warnings.length === 0 ? [] : ['', warningHead(warnings.length, complete)]),
    ...warnings
      .slice(0, MOST_LINES)
      .map(({ path, line, text, names }) => `  ${path}:${line} says "${text}", which names ${names}`),
  ].join('\n');
}

/** What is missing where writing was half allowed. */
export function writingRemarks({ rules, writes }: TrailFacts): readonly string[] {
  const hasFolders = rules.writeFolders.length > 0;
  if (hasFolders === writes > 0) return [];
  return hasFolders
    ? ['It may not write yet: say how many calls a minute may, with --writes.']
    : ['It may not write: name the folders in which it may, with --write-folders.'];
}

/** A number with its word. */
export function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function warningHead(number: number, complete: boolean): string {
  return `${complete ? '' : 'More than '}${counted(number, 'place')} in notes that it shows name notes that it does not; what people typed is served as it is:`;
}

function callsText({ reads, writes }: TrailFacts): string {
  return `${reads === 0 ? 'any' : reads} reads, ${writes} writes`;
}
