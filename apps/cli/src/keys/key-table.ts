import type { KeyFacts } from '@grove/access';
import { plainTable } from '../terminal/plain-table.ts';
import { visible } from '../terminal/print.ts';
import { relativeTime } from './relative-time.ts';

const HEAD = ['id', 'name', 'scopes', 'rules', 'made', 'expires', 'last use', 'state'];

/** The keys as a table, one a line. */
export function keyTable(keys: readonly KeyFacts[], now: number): string {
  return plainTable(
    HEAD,
    keys.map((key) => [
      key.id,
      key.name,
      key.scopes.join(','),
      rulesText(key),
      relativeTime(key.createdAt, now),
      momentText(key.expiresAt, now),
      momentText(key.lastUsedAt, now),
      key.state,
    ]),
  );
}

/** A moment that may never come, or never was. */
export function momentText(moment: number | null, now: number): string {
  return moment === null ? 'never' : relativeTime(moment, now);
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
