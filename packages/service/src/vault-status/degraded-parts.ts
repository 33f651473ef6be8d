import { getHeapStatistics } from 'node:v8';
import { plural } from '../answers/markdown.ts';
import { clip } from '../answers/note-facts.ts';
import type { AutocommitState } from '../autocommit/autocommit.ts';
import type { Scope } from '../contract.ts';
import type { HealthAnswer } from './contract.ts';
import type { OwnerFigures, VaultFigures } from './figures.ts';

type DegradedPart = NonNullable<HealthAnswer['degraded']>[number];

/** A write takes milliseconds; one that is not done by then waits for something that is not Grove. */
const LONG_WAIT_MS = 10_000;
/** Of the memory that Node gives to objects: beyond it the process spends its time on making room. */
const FULL_HEAP = 0.9;

/** What a person is told of a folder that is away. */
export const FOLDER_AWAY = 'The vault folder vanished, was replaced or cannot be read.';

/** The parts that do not work as they should, each with what to do next; for the owner. */
export function degradedParts(
  scope: Scope,
  figures: VaultFigures,
  autocommit: AutocommitState | null,
): DegradedPart[] {
  const { vault, index, owner } = figures;
  if (owner === null) return [];
  const parts: DegradedPart[] = [];
  const add = (part: string, problem: string | null, next: string): void => {
    if (problem !== null) parts.push({ part, problem: clip(problem, 300), next });
  };
  add(
    'vault',
    vault.state === 'degraded' ? FOLDER_AWAY : null,
    'Mount the folder or put it back. Until then writes are refused and nothing is taken out of the index.',
  );
  add(
    'index',
    index.problem ?? (index.state === 'failed' ? 'There is no search index.' : null),
    'Build it anew with: grove reindex',
  );
  add(
    'history',
    scope.history().problem,
    'Notes are read without it. Look at the repository with: git fsck; then start Grove again.',
  );
  add(
    'writes',
    scope.writes.problem,
    'Notes are read as before. Remove what stands in the way, then start Grove again.',
  );
  add(
    'queue',
    queueProblem(owner.queue),
    'See whether the disk is full or slow, and whether a git command hangs in the folder.',
  );
  add(
    'embedding',
    scope.embedding.problem ?? index.meaningProblem ?? index.meaning?.problem ?? null,
    'Search goes by words meanwhile. See what is set up with: grove doctor',
  );
  add(
    'watching',
    vault.watching.problem,
    `Changes from outside are found by looking, within ${Math.ceil(vault.watching.boundMs / 1000)} s.`,
  );
  add('autocommit', autocommit?.problem ?? null, 'It is tried again by itself.');
  const sync = owner.sync?.problem ?? null;
  add('sync', sync?.message ?? null, sync?.hint ?? '');
  add('git_dir', gitDirProblem(owner.gitDir), 'Pack the objects with: grove maintain');
  add('memory', memoryProblem(), 'Give the process more: NODE_OPTIONS=--max-old-space-size=2048 (in MB).');
  return parts;
}

function queueProblem(queue: OwnerFigures['queue']): string | null {
  if (queue === null || queue.oldestMs < LONG_WAIT_MS) return null;
  return `${plural(queue.waiting, 'write')} not done, the oldest for ${Math.round(queue.oldestMs / 1000)} s.`;
}

function gitDirProblem(gitDir: OwnerFigures['gitDir']): string | null {
  if (gitDir === null) return null;
  if (gitDir.problem !== null) return `The last packing was not done: ${gitDir.problem}`;
  return gitDir.isDue && !gitDir.isOn
    ? `${plural(gitDir.looseObjects, 'loose object')}, and they are not packed by themselves.`
    : null;
}

function memoryProblem(): string | null {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used < limit * FULL_HEAP
    ? null
    : `${Math.round(used / 1e6)} of the ${Math.round(limit / 1e6)} MB that Node may use are full.`;
}
