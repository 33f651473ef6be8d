import type { KeyFacts } from '@grove/access';
import Table from 'cli-table3';
import { visible } from '../terminal/print.ts';
import { relativeTime } from './relative-time.ts';

const NO_LINES = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
    'middle',
  ].map((part) => [part, part === 'middle' ? '  ' : '']),
);

/** The keys as a table, one a line. */
export function keyTable(keys: readonly KeyFacts[], now: number): string {
  const table = new Table({
    head: ['id', 'name', 'scopes', 'rules', 'made', 'expires', 'last use', 'state'],
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const key of keys)
    table.push([
      key.id,
      key.name,
      key.scopes.join(','),
      rulesText(key),
      relativeTime(key.createdAt, now),
      key.expiresAt === null ? 'never' : relativeTime(key.expiresAt, now),
      key.lastUsedAt === null ? 'never' : relativeTime(key.lastUsedAt, now),
      key.state,
    ]);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The path rules on one line; nothing where there are none. */
export function rulesText({ readPaths, writePaths, denyPaths }: KeyFacts): string {
  return [
    ['read', readPaths],
    ['write', writePaths],
    ['deny', denyPaths],
  ]
    .flatMap(([kind, rules]) =>
      (rules?.length ?? 0) === 0 ? [] : [`${kind} ${visible([...(rules ?? [])].join(','))}`],
    )
    .join('; ');
}
