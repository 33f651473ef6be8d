import { blobId, GroveError, isGroveError, type VaultPath } from '@grove/core';
import type { MadeCommit } from '@grove/history';
import type { JournalRow } from '../ledger/journal-row.ts';
import type { PullOutcome, PullRequest } from '../pulling/contract.ts';
import { Puller } from '../pulling/puller.ts';
import type { WriteQueue, WriteQueueState } from '../queue/write-queue.ts';
import { clearFreshFiles, clearWorkFolders } from '../recovery/clear-work-folders.ts';
import { recoverRows } from '../recovery/recover-rows.ts';
import { attemptWrite, type Landed, pathsOf, type WriteTask, workedFiles, writtenFiles } from './attempt.ts';
import { findBase, findSource, noteAt } from './bases.ts';
import { changesOutside } from './changes-outside.ts';
import { type EffectiveChange, effectiveChanges } from './check-plan.ts';
import type { EngineOutcome, EngineRequest, FollowUp, NoteThen, WriteEngine } from './contract.ts';
import { diskFault } from './files/disk-faults.ts';
import { Raced } from './files/raced.ts';
import type { PlaceGuard } from './identity.ts';
import { indexEntries } from './index-entries.ts';
import { IndexKeeper } from './index-keeper.ts';
import { ledgerEntry, NOTHING_DONE, outcomeOf, principalOf } from './ledger-entry.ts';
import { lookAtFiles, sourceHashOf } from './look-at-files.ts';
import { madeCommits } from './made-commits.ts';
import type { EngineParts } from './parts.ts';
import { Settler, syncNames } from './settler.ts';

/** How often a write is planned anew because somebody saved one of its files meanwhile. */
const TRIES = 5;

/** What one write did, and who is to hear of it. */
interface Written {
  readonly outcome: EngineOutcome;
  readonly touched: readonly VaultPath[];
  readonly made: readonly MadeCommit[];
}

/** See {@link WriteEngine}. */
export class VaultEngine implements WriteEngine {
  readonly #parts: EngineParts;
  readonly #queue: WriteQueue;
  readonly #guard: PlaceGuard;
  readonly #index: IndexKeeper;
  readonly #settler: Settler;
  readonly #puller: Puller;
  /** A write failed in the middle and was not taken back or entered yet: nothing is written before that is done. */
  #unresolved = false;
  #closing: Promise<void> | null = null;

  constructor(parts: EngineParts, queue: WriteQueue, guard: PlaceGuard) {
    this.#parts = parts;
    this.#queue = queue;
    this.#guard = guard;
    this.#index = new IndexKeeper(parts.git, async (paths) =>
      indexEntries(parts, (await parts.store.resolveHead()).oid, paths),
    );
    this.#settler = new Settler(parts, this.#index, (path, saved) => this.#foundWords(path, saved));
    this.#puller = new Puller(parts, this.#index, {
      settled: () => this.#settler.settled(),
      commitSaved: (paths) => this.#commitSaved(paths),
    });
  }

  /**
   * Finishes, or takes back, what an earlier process left in the middle. What another program's lock of git's stands
   * in the way of is told, and done before the next write.
   */
  async recover(): Promise<void> {
    try {
      await clearFreshFiles(this.#parts);
      await this.#resolve();
      await this.#index.release();
      await this.#settler.settled();
      await clearWorkFolders(this.#parts);
    } catch (cause) {
      if (!isGroveError(cause, 'git_busy') && !isGroveError(cause, 'git_in_operation')) throw cause;
      const message = 'What an earlier run left in the middle is finished when git is free again.';
      this.#parts.report({ what: 'recovery', path: null, message, cause });
    } finally {
      await this.#index.release();
    }
  }

  async problem(): Promise<string | null> {
    try {
      this.#guard.check();
    } catch (error) {
      if (isGroveError(error)) return error.message;
      throw error;
    }
    return this.#parts.git.problem();
  }

  get lacksLinks(): boolean {
    return this.#parts.files.lacksLinks;
  }

  get isPullUnfinished(): boolean {
    return this.#puller.isUnresolved;
  }

  queue(): WriteQueueState {
    return this.#queue.state();
  }

  async apply(request: EngineRequest): Promise<EngineOutcome> {
    const { outcome, touched, made } = await this.#queue.run(() => this.#guarded(() => this.#write(request)));
    if (touched.length > 0) await this.#publish(touched, made);
    return outcome;
  }

  async commitOutside(paths: readonly VaultPath[]): Promise<string | null> {
    return this.#queue.run(() => this.#guarded(() => this.#commitOutside(paths)));
  }

  async pull(request: PullRequest): Promise<PullOutcome> {
    const { outcome, touched } = await this.#queue.run(() => this.#guarded(() => this.#puller.pull(request)));
    if (outcome.kind === 'fast_forward' || outcome.kind === 'merged') await this.#publish(touched, null);
    return outcome;
  }

  sourceHashOf(path: VaultPath, contentHash: string): string {
    return sourceHashOf(this.#parts.ledger, path, contentHash);
  }

  baseOf(path: VaultPath, hash: string): Promise<Uint8Array | null> {
    return findBase(this.#parts, path, hash);
  }

  sourceOf(path: VaultPath): Promise<Uint8Array | null> {
    return findSource(this.#parts, path);
  }

  noteAt(path: VaultPath, commit: string): Promise<NoteThen | null> {
    return noteAt(this.#parts, path, commit);
  }

  async storedId(path: VaultPath, bytes: Uint8Array): Promise<string> {
    return blobId(await this.#parts.git.clean(path, bytes));
  }

  followUps(): readonly FollowUp[] {
    return this.#parts.ledger.followUps();
  }

  followedUp(id: number): void {
    this.#parts.ledger.followedUp(id);
  }

  async settled(): Promise<void> {
    await this.#settler.settled();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#queue.close();
    try {
      await this.#settler.settled();
    } finally {
      this.#settler.stop();
      this.#parts.ledger.close();
      await this.#parts.git.close();
      await this.#parts.store.close();
    }
  }

  /** Runs one critical section; what the disk refuses becomes a coded error. */
  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      this.#guard.check();
      return await this.#parts.git.inOnePass(async () => {
        const problem = await this.#parts.git.problem();
        if (problem !== null) throw new GroveError('repository_unwritable', { reason: reasonOf(problem) });
        if (this.#unresolved || this.#puller.isUnresolved) await this.#resolve();
        await this.#settler.makeRoom();
        return work();
      });
    } catch (error) {
      throw diskFault(error);
    } finally {
      await this.#index.release();
    }
  }

  async #write(request: EngineRequest): Promise<Written> {
    const known = this.#answered(request);
    if (known !== null) return { outcome: known, touched: [], made: [] };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#try(request);
      } catch (error) {
        if (!(error instanceof Raced)) throw error;
        if (attempt === TRIES) throw new GroveError('write_conflict', { path: error.path }, { cause: error });
      }
    }
  }

  async #try(request: EngineRequest): Promise<Written> {
    const { root, ledger, git, step } = this.#parts;
    const looks = await lookAtFiles(root, ledger, request.paths);
    await step('looked');
    const plan = await request.plan(new Map([...looks].map(([path, { now }]) => [path, now])));
    await step('planned');
    const changes = effectiveChanges(plan, looks);
    if (request.dryRun === true) {
      await this.#refuse(changes);
      await git.head(changes.map(({ look }) => look.place.diskPath));
      return { outcome: { ...NOTHING_DONE, answer: plan.answer }, touched: [], made: [] };
    }
    const written = writtenFiles(plan, looks);
    const nothing: EngineOutcome = { ...NOTHING_DONE, files: written, answer: plan.answer };
    if (changes.length === 0) {
      this.#remember(request, nothing);
      return { outcome: nothing, touched: [], made: [] };
    }
    await this.#refuse(changes);
    const { author, idempotency } = request;
    const landed = await this.#land({
      changes,
      own: { author, subject: plan.subject, trailers: plan.trailers, mechanical: plan.mechanical },
      written,
      request: { author, idempotency },
      answer: plan.answer,
      followUp: plan.followUp ?? null,
    });
    if (landed === null) return { outcome: nothing, touched: [], made: [] };
    const { record, commit } = landed;
    this.#acknowledge(landed);
    await step('acknowledged');
    await this.#commitSaved(record.conflictSaved);
    const touched = [...changes.map(({ look }) => look.path), ...record.conflictSaved];
    const followUp = record.followUp == null ? null : landed.id;
    const outcome = { ...outcomeOf(record, commit), replayed: false, followUp };
    return { outcome, touched, made: madeCommits(record) };
  }

  async #refuse(changes: readonly EffectiveChange[]): Promise<void> {
    for (const { look } of changes) await this.#parts.git.refuse(look.place.diskPath);
  }

  async #commitOutside(paths: readonly VaultPath[]): Promise<string | null> {
    const changes = await changesOutside(this.#parts, paths);
    if (changes.length === 0) return null;
    const task = { changes, own: null, written: [], request: null, answer: null, followUp: null };
    const landed = await this.#land(task);
    if (landed === null) return null;
    this.#acknowledge(landed);
    return landed.commit;
  }

  /** When the ledger refuses, the write stands all the same, as after a crash: it is entered before the next one. */
  #acknowledge(landed: Landed): void {
    const { ledger, clock } = this.#parts;
    this.#unresolved = true;
    ledger.acknowledge(landed.id, landed.record, ledgerEntry(landed.record, landed.commit, clock.now()));
    this.#unresolved = false;
    this.#settler.add(landed);
  }

  /** Steps 3 to 9 of a write. When one of them fails, what was done is taken back, unless it stands already. */
  async #land(task: WriteTask): Promise<Landed | null> {
    await this.#index.acquire();
    await this.#parts.step('locked');
    let begun: number | null = null;
    const prepared: string[] = [];
    try {
      const landed = await attemptWrite(this.#parts, task, {
        prepared: (path) => prepared.push(path),
        journaled: (id) => {
          begun = id;
        },
      });
      if (landed === null) return null;
      this.#index.add(await indexEntries(this.#parts, landed.commit, pathsOf(landed)));
      return landed;
    } catch (error) {
      if (begun === null) {
        for (const path of prepared) await this.#parts.files.discard(path);
        throw this.#orElsewhere(error);
      }
      const stands = await this.#takeBack(begun);
      if (stands === null) throw this.#orElsewhere(error);
      return stands;
    }
  }

  /** A move out of the git dir that the disk refuses is tried once more from a folder in the vault. */
  #orElsewhere(error: unknown): unknown {
    const isCrossDevice =
      typeof error === 'object' && error !== null && 'code' in error && error.code === 'EXDEV';
    return isCrossDevice && this.#parts.work.leaveGitDir() ? new Raced('') : error;
  }

  /** Undoes a write that failed, by the rule of recovery; gives it back when it had landed all the same. */
  async #takeBack(id: number): Promise<Landed | null> {
    this.#unresolved = true;
    const row = this.#parts.ledger.journalRows().find((found) => found.id === id);
    if (row === undefined) throw new TypeError('a row that was begun is in the journal');
    // That somebody saved the note meanwhile is why it is taken back: the write is planned anew on that, or refused.
    const report: EngineParts['report'] = (problem) =>
      problem.what === 'conflict' && this.#parts.report(problem);
    const [stands = null] = await this.#finish([row], { ...this.#parts, report });
    this.#unresolved = false;
    return stands;
  }

  /** Takes back, or finishes, what is in the journal and in nobody's hands. */
  async #resolve(): Promise<void> {
    await this.#puller.resolve();
    const { ledger } = this.#parts;
    const held = this.#settler.held;
    const rows = ledger.journalRows().filter(({ id }) => !held.has(id));
    this.#unresolved = rows.length > 0;
    if (rows.length === 0) return;
    await this.#index.acquire();
    for (const landed of await this.#finish(rows, this.#parts)) this.#settler.add(landed);
    this.#unresolved = false;
  }

  /** Decides about rows; those that stand are given back, to be settled, the others are undone and forgotten. */
  async #finish(rows: readonly JournalRow[], parts: EngineParts): Promise<readonly Landed[]> {
    if (rows.length === 0) return [];
    const { ledger, clock, git } = parts;
    const recovered = await recoverRows(parts, rows, async (entries) => this.#index.addMissed(entries));
    const undone = recovered.filter(({ stands }) => !stands);
    // Before they are forgotten: else a power loss could leave what was taken back, or half of an object.
    for (const { row, built } of undone) {
      await git.syncObjects(built);
      await syncNames(parts, [row.record], ({ before }) => before === null);
    }
    if (undone.length > 0)
      ledger.finish(
        undone.map(({ row }) => row.id),
        clock.now(),
      );
    return recovered
      .filter(({ stands }) => stands)
      .map(({ row: { id, record }, commit, built }) => ({
        id,
        record,
        files: workedFiles(record),
        commit,
        built,
      }));
  }

  #answered({ author, idempotency }: EngineRequest): EngineOutcome | null {
    if (idempotency === null) return null;
    const { ledger, clock } = this.#parts;
    const known = ledger.answer(principalOf(author), idempotency.key, clock.now());
    if (known === null) return null;
    if (known.bodyHash !== idempotency.bodyHash)
      throw new GroveError('idempotency_key_reused', { key: idempotency.key });
    return { ...known.outcome, replayed: true, followUp: null };
  }

  #remember({ author, idempotency }: EngineRequest, outcome: EngineOutcome): void {
    if (idempotency === null) return;
    const { replayed, followUp, ...kept } = outcome;
    const answer = { principal: principalOf(author), ...idempotency, outcome: kept };
    this.#parts.ledger.enter({ at: this.#parts.clock.now(), notes: [], bases: [], answer });
  }

  /** Somebody's words that were saved beside a note go into the history too. */
  async #commitSaved(paths: readonly VaultPath[]): Promise<void> {
    if (paths.length === 0) return;
    try {
      await this.#commitOutside(paths);
    } catch (cause) {
      const message = 'Words that somebody wrote meanwhile are on disk and not yet in the history.';
      this.#parts.report({ what: 'conflict', path: paths[0] ?? null, message, cause });
    }
  }

  /** Words that turned up in an old file after it was replaced. */
  #foundWords(path: VaultPath, saved: VaultPath): void {
    const message = `Words that somebody wrote into "${path}" meanwhile are in "${saved}".`;
    this.#parts.report({ what: 'conflict', path: saved, message, cause: null });
    this.#publish([saved]).catch(() => {});
  }

  async #publish(paths: readonly VaultPath[], made: readonly MadeCommit[] | null = []): Promise<void> {
    try {
      await this.#parts.published(paths, made);
    } catch (cause) {
      const message = 'The write is done, and the index will hear of it with the next look at the folder.';
      this.#parts.report({ what: 'publish', path: paths[0] ?? null, message, cause });
    }
    await this.#parts.step('published');
  }
}

function reasonOf(problem: string): string {
  return problem.replace(/^The git repository cannot be written: /, '').replace(/\.$/, '');
}
