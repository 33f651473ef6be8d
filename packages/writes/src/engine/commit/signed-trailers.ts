import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WriteAuthor } from '../contract.ts';

const MAX_SUBJECT = 200;
const MAX_VALUE = 500;
const NAME = /^Grove-[A-Za-z]+(?:-[A-Za-z]+)*$/;
const MAC = 'Grove-Mac';
/** Trailers that only the engine writes. */
const RESERVED = new Set([
  MAC,
  'Grove-Key',
  'Grove-Client',
  'Grove-Source',
  'Grove-Modified',
  'Grove-Mechanical',
]);

/** What a commit's message says. */
export interface MessageParts {
  readonly subject: string;
  readonly author: WriteAuthor | null;
  readonly trailers: Readonly<Record<string, string>>;
  readonly mechanical: boolean;
  /** Source hashes that are not the content's own, as `hash path`. */
  readonly sources: readonly string[];
  /** When notes were saved that the author time does not tell, as `time path`. */
  readonly modified: readonly string[];
}

/** A commit as far as its signature covers it. */
export interface SignedCommit {
  readonly tree: string;
  readonly parent: string | null;
}

/**
 * A commit's message with its trailers, all control characters stripped. The last trailer is an HMAC-SHA-256 over
 * the others, the tree and the parent: only trailers whose HMAC holds are believed.
 *
 * @throws TypeError for a trailer whose name is not `Grove-…` or belongs to the engine
 */
export function signedMessage(parts: MessageParts, commit: SignedCommit, key: Uint8Array): string {
  const lines = trailerLines(parts);
  const subject = plain(parts.subject, MAX_SUBJECT) || 'Change notes';
  return `${subject}\n\n${[...lines, `${MAC}: ${macOf(lines, commit, key)}`].join('\n')}\n`;
}

/** A message that was signed for one commit, signed for another with the same trailers. */
export function signedAgain(message: string, commit: SignedCommit, key: Uint8Array): string {
  const end = message.lastIndexOf(`${MAC}: `);
  const lines = message
    .slice(message.lastIndexOf('\n\n') + 2, end)
    .trimEnd()
    .split('\n');
  return `${message.slice(0, end)}${MAC}: ${macOf(lines[0] === '' ? [] : lines, commit, key)}\n`;
}

/**
 * The trailers of a message, in order, if its HMAC holds with this key; null when it has none or it does not hold.
 *
 * @example verifiedTrailers(commit.message, { tree: commit.tree, parent: commit.parents[0] ?? null }, key)
 */
export function verifiedTrailers(
  message: string,
  commit: SignedCommit,
  key: Uint8Array,
): readonly (readonly [name: string, value: string])[] | null {
  const lines = message.trimEnd().split('\n\n').at(-1)!.split('\n');
  const given = new RegExp(`^${MAC}: ([0-9a-f]{64})$`).exec(lines.pop() ?? '')?.[1];
  if (given === undefined) return null;
  const real = macOf(lines, commit, key);
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(real))) return null;
  return lines.flatMap((line) => {
    const colon = line.indexOf(': ');
    return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 2)] as const];
  });
}

function trailerLines(parts: MessageParts): string[] {
  const { author, trailers, mechanical, sources, modified } = parts;
  const lines: string[] = [];
  const add = (name: string, value: string) => {
    const text = plain(value, MAX_VALUE);
    if (text !== '') lines.push(`${name}: ${text}`);
  };
  if (author !== null) add('Grove-Key', `${author.kind}:${author.id}`);
  if (author?.client) add('Grove-Client', author.client);
  for (const [name, value] of Object.entries(trailers)) {
    if (name === 'Grove-Mechanical') continue;
    if (!NAME.test(name) || RESERVED.has(name))
      throw new TypeError(`a plan may not write the trailer ${name}`);
    add(name, value);
  }
  if (mechanical) add('Grove-Mechanical', trailers['Grove-Mechanical'] ?? 'yes');
  // A path may be longer than other values, and has no control characters.
  for (const source of sources) lines.push(`Grove-Source: ${source}`);
  for (const saved of modified) lines.push(`Grove-Modified: ${saved}`);
  return lines;
}

function macOf(lines: readonly string[], { tree, parent }: SignedCommit, key: Uint8Array): string {
  return createHmac('sha256', key)
    .update(['grove trailers 1', tree, parent ?? '', ...lines].join('\n'))
    .digest('hex');
}

function plain(text: string, limit: number): string {
  const line = text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
  return [...line.trim()].slice(0, limit).join('');
}
