import { GroveError, parseVaultPath } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { DiscoverOutcome } from '@grove/writes';
import { clip } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { Operation, Scope } from '../contract.ts';
import { pastRemarks } from '../history/visible-past.ts';
import { notFound, rowByName } from '../notes/locate.ts';
import { defineOperation } from '../operation/define.ts';
import { type DiscoverAnswer, type DiscoverInput, discoverOutput, discoverParameters } from './contract.ts';
import { presentDiscover } from './present.ts';

const NOTES_BYTES = 14 * 1024;
const LEFT_BYTES = 4 * 1024;
const COMMITS = 40;
/** Whoever asks waits no longer for one answer. */
const PATIENCE_MS = 30_000;
/** Links of one note that are told. */
const TOLD = 30;

/**
 * Adds links where notes name others, or takes back those that Grove added. For the owner's command line alone: no client
 * is shown it, and no scope but the owner's can do it.
 *
 * @example await discover.run(scope, discover.parse({ path: 'Log', dry_run: true }));
 */
export const discover: Operation<DiscoverInput, DiscoverAnswer> = defineOperation({
  name: 'discover',
  title: 'Link names of notes',
  description: 'Add links where notes name others, or take back those that Grove added.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  parameters: discoverParameters,
  output: discoverOutput,
  check: ({ path, all, undo }) => {
    if (path !== null && all)
      throw new GroveError('bad_input', { name: 'all', reason: '"all" does not go with "path"' });
    if (path === null && !all && !undo)
      throw new GroveError('bad_input', { name: 'path', reason: 'give "path", or "all" for every note' });
  },
  run: runDiscover,
  present: presentDiscover,
});

async function runDiscover(scope: Scope, input: DiscoverInput): Promise<DiscoverAnswer> {
  const { principal, may } = scope;
  if (principal.kind !== 'owner' || !may.write) throw new GroveError('scope_missing', { scope: 'admin' });
  const row = input.path === null ? null : noteNamed(scope, input.path);
  const outcome = await (input.undo ? takeBack(scope, row, input) : add(scope, row, input));
  return answerOf(scope, input, outcome);
}

function noteNamed(scope: Scope, name: string): NoteRow {
  const row = rowByName(scope, name);
  if (row === null) throw notFound(scope, name);
  return row;
}

async function add(
  { view, writable, writes }: Scope,
  row: NoteRow | null,
  { from, dry_run }: DiscoverInput,
): Promise<DiscoverOutcome> {
  if (!writes.on && !dry_run) throw new GroveError('writes_off');
  if (writes.notes === null)
    throw new GroveError('writes_unavailable', {
      reason: writes.problem ?? 'its history cannot be written.',
    });
  const rows = row === null ? view.notes().filter(({ path }) => path >= (from ?? '')) : [row];
  const paths = rows.map(({ path }) => path);
  return await writes.notes.discover(
    { view, policy: writable },
    { paths, dryRun: dry_run, patienceMs: PATIENCE_MS },
  );
}

async function takeBack(
  { undoDiscovery, view, writes }: Scope,
  row: NoteRow | null,
  { from, dry_run }: DiscoverInput,
): Promise<DiscoverOutcome> {
  if (undoDiscovery !== null)
    return await undoDiscovery({
      path: row?.path ?? null,
      from: from === null ? null : parseVaultPath(from),
      dryRun: dry_run,
      patienceMs: PATIENCE_MS,
    });
  const reason = view.isOwner
    ? (writes.problem ?? 'its history cannot be written.')
    : 'path rules hide a part of the vault from this command, and links may have been added there.';
  throw new GroveError('writes_unavailable', { reason });
}

function answerOf(
  scope: Scope,
  { undo, dry_run }: DiscoverInput,
  { notes, commits, left, next }: DiscoverOutcome,
): DiscoverAnswer {
  const told = notes.map(({ path, links }) => ({
    path: clip(path, 500),
    links: links
      .slice(0, TOLD)
      .map(({ text, link, line }) => ({ text: clip(text, 200), link: clip(link, 500), line })),
    links_total: links.length,
  }));
  const stay = left.map(({ path, reason }) => ({ path: clip(path, 500), reason: clip(reason, 300) }));
  return {
    ...(dry_run ? { dry_run: true } : {}),
    ...(undo ? { undo: true } : {}),
    notes: [...fillPage(told, NOTES_BYTES).items],
    notes_total: notes.length,
    links: notes.reduce((sum, { links }) => sum + links.length, 0),
    commits: commits.slice(-COMMITS),
    left: [...fillPage(stay, LEFT_BYTES).items],
    left_total: left.length,
    ...(next === null ? {} : { next }),
    remarks: undo ? pastRemarks(scope) : [],
  };
}
