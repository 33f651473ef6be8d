import { errorCode, GroveError, Slices, type VaultPath } from '@grove/core';
import { type Merging, mergeBases, type WritableHead } from '@grove/history';
import { outsideMessage } from '../engine/commit/build-chain.ts';
import { savedTimes } from '../engine/commit/saved-times.ts';
import { groveSignature, outsideSignature } from '../engine/commit/signatures.ts';
import { type MessageParts, signedMessage } from '../engine/commit/signed-trailers.ts';
import { Raced } from '../engine/files/raced.ts';
import { LARGEST_FILE } from '../engine/files/read-file.ts';
import type { IndexKeeper } from '../engine/index-keeper.ts';
import type { WhyLeftOut } from '../engine/left-out.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { Candidate } from './candidates.ts';
import type { PullOutcome, PullRequest } from './contract.ts';
import { finishPull, type PullEnd, runPull } from './finish-pull.ts';
import { isLink } from './leaves.ts';
import { notesOf } from './notes-of.ts';
import { type PullPlan, planPull } from './plan-pull.ts';
import type { PulledFile, PullRecord } from './pull-record.ts';

/** How often a pull is worked out anew because somebody changed the branch or a folder meanwhile. */
const TRIES = 5;

/** So many files that are not made are told one by one. */
const MOST_TOLD = 20;
const WHY = {
  link: 'is a link',
  trash: 'lies in the trash, which each machine has for itself',
  large: `is larger than ${LARGEST_FILE / 1024 / 1024} MB`,
} as const satisfies Record<WhyLeftOut, string>;

/** What one pull did, and the notes that are to be looked at. */
export interface Pulled {
  readonly outcome: PullOutcome;
  readonly touched: readonly VaultPath[];
}

/** What a pull asks of the engine that it is part of. */
export interface PullerEngine {
  /** Settles what was written before. */
  settled(): Promise<void>;
  /** Takes words that somebody wrote meanwhile, and that were saved beside, into the history. */
  commitSaved(paths: readonly VaultPath[]): Promise<void>;
}

/** Pulls, inside the critical section of a write. While one is on its way nothing else is written. */
export class Puller {
  readonly #parts: EngineParts;
  readonly #index: IndexKeeper;
  readonly #engine: PullerEngine;
  #isUnresolved = true;

  constructor(parts: EngineParts, index: IndexKeeper, engine: PullerEngine) {
    this.#parts = parts;
    this.#index = index;
    this.#engine = engine;
  }

  async pull(request: PullRequest): Promise<Pulled> {
    if (this.#parts.location.prefix !== '') throw unsupported('it is a folder inside a larger repository');
    if (this.#parts.git.merging().isSparse)
      throw unsupported('it is a sparse checkout ("git sparse-checkout disable" ends that)');
    await this.#engine.settled();
    for (let attempt = 1; ; attempt += 1) {
      const pulled = await this.#try(request);
      if (pulled !== null) return pulled;
      if (attempt === TRIES)
        throw new GroveError('git_busy', { reason: 'its branch is moved again and again' });
    }
  }

  /** True until it is known that no pull was left in the middle. */
  get isUnresolved(): boolean {
    return this.#isUnresolved;
  }

  /** Finishes what an earlier pull left in the middle, or takes it back. */
  async resolve(): Promise<void> {
    const row = this.#parts.ledger.pull();
    if (row !== null) {
      await this.#index.acquire();
      await finishPull(this.#parts, this.#index, row);
    }
    this.#isUnresolved = false;
  }

  /** Null where somebody else was faster, and nothing was done. */
  async #try({ theirs, remote, signal }: PullRequest): Promise<Pulled | null> {
    const { git, store, step } = this.#parts;
    signal?.throwIfAborted();
    const slices = new Slices(signal);
    await this.#index.acquire();
    const head = await git.head([]);
    if (head.oid === theirs) return nothing('up_to_date', head);
    const base = head.oid === null ? null : await this.#base(head.oid, theirs, slices);
    if (base === theirs) return nothing('ahead', head);
    await step('pull_looked');
    const merging = git.merging();
    const { tree } = await store.readCommit(theirs);
    const trees = {
      base: base === null ? null : (await store.readCommit(base)).tree,
      ours: head.tree,
      theirs: tree,
    };
    const plan = await planPull(this.#parts, merging, trees, remote, slices);
    await git.head([...plan.outside.edits.keys(), ...plan.files.map(({ path }) => path)]);
    await step('pull_planned');
    const commits = await this.#commits(merging, head, { base, theirs, tree, remote }, plan);
    await merging.sync();
    await step('pull_stored');
    const { files, madeFolders, emptiedFolders, conflicts } = plan;
    const record: PullRecord = {
      ref: head.ref,
      base: head.oid,
      final: commits.final,
      reflog: `grove: ${commits.said}`,
      who: groveSignature(this.#parts.clock.now()),
      files,
      outside: [...plan.outside.edits.keys()],
      madeFolders,
      emptiedFolders,
    };
    signal?.throwIfAborted();
    if (plan.excluded.length > 0) await this.#exclude(plan.excluded);
    const end = await this.#run(record, merging);
    if (this.#isUnresolved) await this.resolve();
    if (end === null) return null;
    this.#tellLeftOut(files, plan.leftOut);
    const changed = files.map(({ path }) => path);
    const touched = notesOf([...changed, ...end.saved]);
    await this.#engine.commitSaved(notesOf(end.saved));
    return { outcome: { kind: commits.kind, head: commits.final, changed, conflicts }, touched };
  }

  async #run(record: PullRecord, merging: Merging): Promise<PullEnd | null> {
    this.#isUnresolved = true;
    try {
      return await runPull(this.#parts, this.#index, record, merging.fileMode);
    } catch (error) {
      // A folder changed under it, or no file moves from the git dir into the vault.
      if (error instanceof Raced) return null;
      if (errorCode(error) === 'EXDEV' && this.#parts.work.leaveGitDir()) return null;
      throw error;
    } finally {
      this.#isUnresolved = this.#parts.ledger.pull() !== null;
    }
  }

  /** Where several common commits are equally good, the newest counts, as for "git merge-base". */
  async #base(ours: string, theirs: string, slices: Slices): Promise<string> {
    const { store } = this.#parts;
    const [base] = await mergeBases(store, ours, theirs, slices);
    if (base !== undefined) return base;
    const isShallow = (await store.shallowCommits()).size > 0;
    const why = isShallow
      ? ', as far as this shallow clone goes ("git fetch --unshallow" gets the rest)'
      : '';
    throw unsupported(`the remote has another history, which shares no commit with this one${why}`);
  }

  /** Stores the commits of a pull: what was changed outside, and the merge, where theirs alone will not do. */
  async #commits(
    merging: Merging,
    head: WritableHead,
    them: {
      readonly base: string | null;
      readonly theirs: string;
      readonly tree: string;
      readonly remote: string;
    },
    plan: PullPlan,
  ): Promise<{ readonly kind: 'fast_forward' | 'merged'; readonly final: string; readonly said: string }> {
    const isBehind = head.oid === them.base && plan.outside.edits.size === 0;
    if (isBehind && plan.tree === them.tree)
      return { kind: 'fast_forward', final: them.theirs, said: `Fast-forward to ${them.remote}` };
    const ours = await this.#commitOutside(merging, head, plan);
    const parents = ours === null ? [them.theirs] : [ours, them.theirs];
    const time = groveSignature(this.#parts.clock.now());
    const said = subjectOf(them.remote, plan.conflicts.length);
    const signed = this.#message(
      { subject: said, trailers: { 'Grove-Mechanical': 'merge' }, modified: [] },
      plan.tree,
      parents,
    );
    const final = await merging.commit({
      tree: plan.tree,
      parents,
      author: time,
      committer: time,
      message: signed,
    });
    return { kind: 'merged', final, said };
  }

  async #commitOutside(
    merging: Merging,
    head: WritableHead,
    { outside, oursTree }: PullPlan,
  ): Promise<string | null> {
    if (outside.edits.size === 0 || oursTree === head.tree) return head.oid;
    const now = this.#parts.clock.now();
    const saved = outside.saved.map(({ path, modified }) => ({ path: path as VaultPath, modified }));
    const { newest, others } = savedTimes(saved, now);
    const said = outsideMessage(
      saved.map(({ path }) => path),
      others,
      'files',
    );
    const parents = head.oid === null ? [] : [head.oid];
    return merging.commit({
      tree: oursTree,
      parents,
      author: outsideSignature(newest),
      committer: groveSignature(now),
      message: this.#message(said, oursTree, parents),
    });
  }

  /** Before a file is placed: there is no moment at which git would take what it ignored. */
  async #exclude(patterns: readonly string[]): Promise<void> {
    await this.#parts.git.exclude(patterns);
    const message = `The remote changed what git ignores. What was ignored here stays so, by .git/info/exclude: ${patterns.slice(0, 5).join(', ')}${patterns.length > 5 ? ` and ${patterns.length - 5} more` : ''}. Take it out of that file to have it committed.`;
    this.#parts.report({ what: 'conflict', path: null, message, cause: null });
  }

  #tellLeftOut(files: readonly PulledFile[], leftOut: readonly Candidate[]): void {
    const told = new Map<string, string>();
    const kept = 'It is in the history, and Grove does not make it on disk.';
    for (const { path, result } of files) if (isLink(result)) told.set(path, `${WHY.link}. ${kept}`);
    for (const { path, leftOut: why, isStuck } of leftOut)
      if (why !== null) told.set(path, `${WHY[why]}. ${isStuck ? 'What is here stays, and counts.' : kept}`);
    for (const [path, why] of [...told].slice(0, MOST_TOLD)) {
      const message = `The remote brings "${path}", which ${why}`;
      this.#parts.report({ what: 'conflict', path, message, cause: null });
    }
    if (told.size <= MOST_TOLD) return;
    const message = `The remote brings ${told.size - MOST_TOLD} more files that Grove does not make on disk.`;
    this.#parts.report({ what: 'conflict', path: null, message, cause: null });
  }

  #message(
    said: Pick<MessageParts, 'subject' | 'trailers' | 'modified'>,
    tree: string,
    parents: readonly string[],
  ): string {
    const commit = { tree, parent: parents[0] ?? null };
    return signedMessage(
      { ...said, author: null, mechanical: true, sources: [] },
      commit,
      this.#parts.trailerKey,
    );
  }
}

function unsupported(reason: string): GroveError {
  return new GroveError('sync_unsupported', { reason });
}

function subjectOf(remote: string, conflicts: number): string {
  const inConflict =
    conflicts === 0 ? '' : ` (${conflicts} ${conflicts === 1 ? 'file' : 'files'} in conflict)`;
  return `Merge the changes of ${remote}${inConflict}`;
}

function nothing(kind: 'up_to_date' | 'ahead', { oid }: WritableHead): Pulled {
  return { outcome: { kind, head: oid, changed: [], conflicts: [] }, touched: [] };
}
