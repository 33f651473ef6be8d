import type { Implementation } from '@modelcontextprotocol/server';

const LONGEST = 80;

/**
 * The name that a client gives itself, with its version, as it may stand in a history: one line, without control
 * characters, and short. Anybody can claim any name; it proves nothing.
 *
 * @returns null where the client gave none
 * @example clientName({ name: 'claude-code', version: '2.1.0' }) // 'claude-code 2.1.0'
 */
export function clientName(info: Implementation | undefined): string | null {
  if (info === undefined) return null;
  const line = `${info.name} ${info.version}`
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.slice(0, LONGEST).toWellFormed().trim();
}
