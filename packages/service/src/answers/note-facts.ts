import { encodePath } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Scope } from '../contract.ts';

/** What every note carries in every answer: where it is, what it is called, and how to open it. */
export const noteFactsShape = {
  path: z.string(),
  /** Only when it differs from the file name. */
  title: z.string().optional(),
  /** Opens the note in Obsidian. */
  link: z.string(),
  /** Opens the note over HTTP, where the server has a public address. */
  url: z.string().optional(),
};

export interface NoteFacts {
  readonly path: string;
  readonly title?: string | undefined;
  readonly link: string;
  readonly url?: string | undefined;
}

/** Path, title and addresses of a note. */
export function noteFacts(scope: Scope, row: NoteRow): NoteFacts {
  const facts: { path: string; title?: string; link: string; url?: string } = {
    path: row.path,
    link: obsidianLink(scope.vault.name, row.path),
  };
  if (row.title !== row.name) facts.title = clip(row.title, 200);
  if (scope.publicUrl !== null) facts.url = `${scope.publicUrl}/v1/notes/${encodePath(row.path)}`;
  return facts;
}

/**
 * Obsidian's own address of a note (https://help.obsidian.md/uri): the vault by name, the file without `.md`.
 *
 * @example obsidianLink('Garden', 'Beds/Bed 1.md') // 'obsidian://open?vault=Garden&file=Beds%2FBed%201'
 */
export function obsidianLink(vaultName: string, path: string): string {
  const file = path.replace(/\.md$/i, '');
  return `obsidian://open?vault=${encodeURIComponent(vaultName.toWellFormed())}&file=${encodeURIComponent(file.toWellFormed())}`;
}

/** A time as people in the vault's zone write it: ISO 8601 with the offset, to the second. */
export function isoTime(scope: Scope, millis: number): string {
  const time = DateTime.fromMillis(Math.floor(millis / 1000) * 1000, { zone: scope.vault.zone });
  return time.toISO({ suppressMilliseconds: true }) ?? new Date(millis).toISOString();
}

/** At most `length` UTF-16 units, with `…` where something was left out, never half a character. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`.toWellFormed();
}

/** White space and line breaks made single spaces: for what stands in one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
