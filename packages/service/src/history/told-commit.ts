import { foldCase } from '@grove/core';
import type { LogChange, WalkEntry } from '@grove/history';
import type { TrustedWords } from '@grove/writes';
import { z } from 'zod';
import { clip, isoTime, oneLine } from '../answers/note-facts.ts';
import type { Scope, VaultPast } from '../contract.ts';
import { seesAll } from './visible-past.ts';

/** What is told of every commit. */
export const toldCommitShape = {
  commit: z.string(),
  time: z.string(),
  /** The author's name; to a caller that sees a part of the vault `other`, unless it is the caller itself. */
  author: z.string(),
  subject: z.string(),
  /** From here on what Grove itself wrote into the commit, where its signature holds: the principal as kind:id. */
  key: z.string().optional(),
  client: z.string().optional(),
  operation: z.string().optional(),
  reason: z.string().optional(),
  /** True for what nobody meant as an edit of its own: outside edits taken up, links mended. */
  mechanical: z.boolean().optional(),
};

const toldCommit = z.object(toldCommitShape);
export type ToldCommit = z.infer<typeof toldCommit>;

/** A commit as far as one caller may hear of it. */
export interface KnownCommit {
  readonly entry: WalkEntry;
  /** Null where nothing was signed, or this caller may not hear it. */
  readonly words: TrustedWords | null;
  /** True for the caller's own. */
  readonly isOwn: boolean;
  /** First line of the message, for whoever sees all of the vault. */
  readonly subject: string | null;
}

/** Reads what may be known of an entry. */
export async function knowCommit(scope: Scope, past: VaultPast, entry: WalkEntry): Promise<KnownCommit> {
  const { principal } = scope;
  const me = `${principal.kind}:${principal.id}`;
  // Others' messages are not even read for who sees a part of the vault.
  if (!seesAll(scope) && emailKey(entry) !== me) return { entry, words: null, isOwn: false, subject: null };
  const commit = await past.history.store.readCommit(entry.commit);
  const words = past.trusted(commit);
  const isOwn = words?.key === me;
  if (seesAll(scope)) return { entry, words, isOwn, subject: commit.message.split('\n', 1)[0] ?? '' };
  return { entry, words: isOwn ? words : null, isOwn, subject: null };
}

/** The commit as answers tell of it. */
export function tellCommit(scope: Scope, { entry, words, isOwn, subject }: KnownCommit): ToldCommit {
  const { principal } = scope;
  const name = seesAll(scope) ? entry.author : isOwn ? principal.name : 'other';
  const said = { key: words?.key, client: words?.client, operation: words?.operation, reason: words?.reason };
  return {
    commit: entry.commit,
    time: isoTime(scope, entry.time),
    author: clip(oneLine(name), 100),
    subject: clip(oneLine(subject ?? generatedSubject(entry)), 200),
    ...Object.fromEntries(
      Object.entries(said).flatMap(([field, value]) =>
        typeof value === 'string' ? [[field, clip(oneLine(value), 300)]] : [],
      ),
    ),
    ...(entry.mechanical ? { mechanical: true } : {}),
  };
}

/**
 * Whether a commit is by whom `by` names: `me`, a name, or a key as `kind:id` or by its id alone, which is believed only
 * where the commit is signed. Who sees a part of the vault knows itself and `other`.
 */
export function isBy(scope: Scope, by: string, { entry, words, isOwn }: KnownCommit): boolean {
  const wanted = foldCase(by.trim());
  const { kind, id, name } = scope.principal;
  const own = [id, `${kind}:${id}`, ...(seesAll(scope) ? [] : [name])].map(foldCase);
  if (wanted === 'me' || own.includes(wanted)) return isOwn;
  if (!seesAll(scope)) return wanted === 'other' && !isOwn;
  const key = words?.key ?? null;
  const names = [entry.author, ...(key === null ? [] : [key, key.slice(key.indexOf(':') + 1)])];
  return names.some((known) => foldCase(known) === wanted);
}

/** True where {@link isBy} cannot be true, by what is known without reading the commit. */
export function isSurelyNotBy(scope: Scope, by: string, entry: WalkEntry): boolean {
  if (!seesAll(scope)) return false;
  return foldCase(entry.author) !== foldCase(by.trim()) && emailKey(entry) === null;
}

/** What a note went through, in the words of answers. */
function generatedSubject({ changes, changed }: WalkEntry): string {
  const [first] = changes;
  if (changed !== 1 || first === undefined) return `Change ${changed} notes`;
  return first.from === null ? `${VERBS[first.kind]} ${first.path}` : `Rename ${first.from} to ${first.path}`;
}

const VERBS: Readonly<Record<LogChange['kind'], string>> = {
  added: 'Add',
  modified: 'Change',
  deleted: 'Delete',
  renamed: 'Rename',
};

/** The principal that the author's address claims: Grove writes `kind.id@grove.invalid`; anyone can. */
function emailKey({ email }: WalkEntry): string | null {
  const [, kind, id] = /^([a-z]+)\.(.+)@grove\.invalid$/.exec(email) ?? [];
  return kind === undefined || id === undefined ? null : `${kind}:${id}`;
}
