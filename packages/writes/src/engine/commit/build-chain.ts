import { blobId, contentHash, foldCase } from '@grove/core';
import type { BuiltCommit } from '@grove/history';
import type { JournalCommit, JournalFile, JournalRecord } from '../../ledger/journal-row.ts';
import type { WriteAuthor } from '../contract.ts';
import type { EngineParts } from '../parts.ts';
import { savedTimes } from './saved-times.ts';
import { authorSignature, groveSignature, outsideSignature } from './signatures.ts';
import { type MessageParts, signedAgain, signedMessage } from './signed-trailers.ts';

/** A file as far as commits are made of it. */
export type StoredFile = Pick<
  JournalFile,
  'path' | 'diskPath' | 'before' | 'after' | 'storedBefore' | 'storedAfter' | 'sourceHash'
> & {
  readonly mode: '100644' | '100755';
  /** When the file was saved, in milliseconds; null where there is none. */
  readonly modified: number | null;
};

/** What the write's own commit says; null when there is only what somebody changed outside. */
export type OwnCommit = { readonly author: WriteAuthor } & Pick<
  MessageParts,
  'subject' | 'trailers' | 'mechanical'
>;

/** The commits of one write, built and not yet stored. */
export interface Chain {
  readonly commits: readonly JournalCommit[];
  readonly built: readonly BuiltCommit[];
}

/**
 * Builds the commits of a write on `parent`: first, where the disk differs from what git has at a touched path, one
 * of exactly those paths in nobody's name, so that a person's words are never an agent's; then the write's own.
 * Either may be missing.
 */
export async function buildChain(
  parts: EngineParts,
  parent: string | null,
  files: readonly StoredFile[],
  own: OwnCommit | null,
): Promise<Chain> {
  const time = parts.clock.now();
  const commits: JournalCommit[] = [];
  const built: BuiltCommit[] = [];
  const add = async (draft: Omit<JournalCommit, 'oid' | 'parent' | 'message'>, message: MessageParts) => {
    const base = built.at(-1) ?? null;
    const request = { ...draft, parent: base ?? parent, changes: changesOf(draft, files) };
    const on = base?.oid ?? parent;
    let text = '';
    const sign = (tree: string) => {
      text = signedMessage(message, { tree, parent: on }, parts.trailerKey);
      return text;
    };
    const commit = await parts.git.buildCommit({ ...request, message: sign });
    // Where git keeps no permissions, or stores both line endings alike, there may be nothing to say.
    if (commit.unchanged) return;
    built.push(commit);
    commits.push({ ...draft, oid: commit.oid, parent: on, message: text });
  };
  const outside = await changedOutside(parts, parent, files);
  if (outside.length > 0) {
    const changes = outside.map((file) => ({
      diskPath: file.diskPath,
      mode: file.mode,
      content: 'before' as const,
    }));
    const { newest, others } = savedTimes(outside, time);
    const draft = { author: outsideSignature(newest), committer: groveSignature(time), changes };
    await add(
      draft,
      outsideMessage(
        outside.map(({ path }) => path),
        others,
      ),
    );
  }
  if (own !== null) {
    const changes = files.map((file) => ({
      diskPath: file.diskPath,
      mode: file.mode,
      content: 'after' as const,
    }));
    const draft = { author: authorSignature(own.author, time), committer: groveSignature(time), changes };
    await add(draft, { ...own, sources: keptSources(files), modified: [] });
  }
  return { commits, built };
}

/** Makes a commit of the journal again, with the id that it has. */
export function rebuildCommit(
  parts: EngineParts,
  commit: JournalCommit,
  files: readonly JournalFile[],
): Promise<BuiltCommit> {
  const { parent, author, committer, message } = commit;
  return parts.git.buildCommit({ parent, author, committer, message, changes: changesOf(commit, files) });
}

/** The commits of a record, made anew on another tip: what they change, and what they say, stays. */
export async function rebuildOn(
  parts: EngineParts,
  tip: string | null,
  record: JournalRecord,
): Promise<Chain> {
  const commits: JournalCommit[] = [];
  const built: BuiltCommit[] = [];
  for (const commit of record.commits) {
    const base = built.at(-1) ?? null;
    const { author, committer } = commit;
    const changes = changesOf(commit, record.files);
    const request = { author, committer, changes, parent: base ?? tip };
    const on = base?.oid ?? tip;
    let message = '';
    const sign = (tree: string) => {
      message = signedAgain(commit.message, { tree, parent: on }, parts.trailerKey);
      return message;
    };
    const again = await parts.git.buildCommit({ ...request, message: sign });
    built.push(again);
    commits.push({ ...commit, oid: again.oid, parent: on, message });
  }
  return { commits, built };
}

function changesOf(
  commit: Pick<JournalCommit, 'changes'>,
  files: readonly Pick<StoredFile, 'diskPath' | 'storedBefore' | 'storedAfter'>[],
) {
  const byPath = new Map(files.map((file) => [file.diskPath, file]));
  return commit.changes.map(({ diskPath, mode, content }) => {
    const file = byPath.get(diskPath)!;
    return { path: diskPath, bytes: content === 'before' ? file.storedBefore : file.storedAfter, mode };
  });
}

async function changedOutside(
  parts: EngineParts,
  parent: string | null,
  files: readonly StoredFile[],
): Promise<StoredFile[]> {
  const changed: StoredFile[] = [];
  for (const file of files) {
    if (isNewSpelling(file, files)) continue;
    const entry = await parts.git.entryAt(parent, file.diskPath);
    const blob = file.storedBefore === null ? null : blobId(file.storedBefore);
    const sameMode = blob === null || entry?.mode === file.mode;
    if ((entry?.oid ?? null) !== blob || !sameMode) changed.push(file);
  }
  return changed;
}

/** With `core.ignoreCase` the new name of a note finds what git has by its old one, which was not removed outside. */
function isNewSpelling({ before, diskPath }: StoredFile, files: readonly StoredFile[]): boolean {
  const folded = foldCase(diskPath);
  return (
    before === null &&
    files.some((old) => old.before !== null && old.after === null && foldCase(old.diskPath) === folded)
  );
}

/** What a commit says of what somebody changed outside. */
export function outsideMessage(
  paths: readonly string[],
  modified: readonly string[],
  many = 'notes',
): MessageParts {
  const what = paths.length === 1 ? paths[0]! : `${paths.length} ${many}`;
  const trailers = { 'Grove-Mechanical': 'outside-edit' };
  return {
    subject: `Outside edit: ${what}`,
    author: null,
    trailers,
    mechanical: true,
    sources: [],
    modified,
  };
}

/** Source hashes that the content does not tell, as `hash path`. */
function keptSources(files: readonly StoredFile[]): string[] {
  return files.flatMap(({ after, sourceHash, path }) =>
    after === null || sourceHash === null || sourceHash === contentHash(after)
      ? []
      : [`${sourceHash} ${path}`],
  );
}
