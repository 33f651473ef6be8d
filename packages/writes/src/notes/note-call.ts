import { GroveError, isGroveError, type VaultPath } from '@grove/core';
import { Patience } from '@grove/markdown';
import { confirmDeletions } from '../confirmations/confirm-deletions.ts';
import type { ConfirmedNotes } from '../confirmations/question.ts';
import type { LinkWirer } from '../discovery/link-wirer.ts';
import { type WiringTask, wiringTaskOf } from '../discovery/wiring-task.ts';
import type { EngineOutcome, EngineRequest, FileNow, PlannedChange } from '../engine/contract.ts';
import { judgeChange, keptRemark, type NoteChange } from '../schema/judge-change.ts';
import { newBatch } from '../trash/batches.ts';
import { batchRefused } from './batch-refused.ts';
import type { ChangedText } from './change-text.ts';
import { commitWords } from './commit-words.ts';
import type {
  BatchItem,
  NoteWriteCaller,
  NoteWriteRequest,
  NoteWriteResult,
  NoteWritesOptions,
} from './contract.ts';
import { idempotencyOf } from './idempotency.ts';
import { checkBatch } from './limits.ts';
import { type BatchPast, type BatchSetting, hashToHold, type PlannedBatch, planBatch } from './plan-batch.ts';
import type { PreparedOperation } from './plan-note.ts';
import { needsHash } from './preconditions.ts';
import { payloadBytes, prepareOperation } from './prepare.ts';
import type { RecentAppends } from './recent-appends.ts';
import { asCallerSees } from './refusals.ts';
import { type ResultsFor, resultsOf, type ToldOperation, toldBy } from './results.ts';
import { requireShown } from './shown-now.ts';
import { SlowEdits } from './slow-edits.ts';
import { withSuggestions } from './suggestions.ts';
import { isWholeFile, planWholeFile, refuseWholeFile } from './whole-file.ts';

/** Most bytes of a diff in an answer, and of all diffs of a batch together. */
const DIFF_BYTES = 1024;
const BATCH_DIFF_BYTES = 12 * 1024;
/** A diff that would have to be shorter tells nothing. */
const LEAST_DIFF_BYTES = 240;

/** What the calls of one vault share. */
export interface CallParts {
  readonly appends: RecentAppends;
  readonly wirer: LinkWirer;
}

/** One call of NoteWrites under way. */
export class NoteCall {
  readonly #options: NoteWritesOptions;
  readonly #appends: RecentAppends;
  readonly #wirer: LinkWirer;
  readonly #caller: NoteWriteCaller;
  readonly #request: NoteWriteRequest;
  /** Shared by all operations of the call, which other writers wait for. */
  readonly #patience = new Patience();
  readonly #slow = new SlowEdits<ChangedText>();
  /** What one call deletes lies together in the trash. */
  #trashBatch: string | null = null;
  /** What a person agreed to that it goes. */
  #confirmed: ConfirmedNotes = new Map();
  /** Notes of this call that links are to be added to, by the follow-up. */
  readonly #wirings = new Map<number, WiringTask>();
  /** How to take back what was noted of appends, by operation. */
  readonly #begun = new Map<number, () => void>();

  constructor(
    options: NoteWritesOptions,
    { appends, wirer }: CallParts,
    caller: NoteWriteCaller,
    request: NoteWriteRequest,
  ) {
    this.#options = options;
    this.#appends = appends;
    this.#wirer = wirer;
    this.#caller = caller;
    this.#request = request;
  }

  /** Links are added once all of the call is done: its later operations find the words that they name. */
  async run(): Promise<readonly BatchItem[]> {
    try {
      return await this.#run();
    } finally {
      for (const [id, task] of this.#wirings) this.#wirer.begin(id, task, this.#caller.view);
    }
  }

  async #run(): Promise<readonly BatchItem[]> {
    const { operations, batch, atomic } = this.#request;
    checkBatch(
      operations.length,
      operations.reduce((sum, operation) => sum + payloadBytes(operation), 0),
    );
    let prepared: readonly PreparedOperation[];
    try {
      prepared = await this.#prepare();
    } catch (error) {
      return await this.#answeredBefore(error);
    }
    this.#confirmed = await confirmDeletions(prepared, {
      ...this.#options,
      caller: this.#caller,
      request: this.#request,
    });
    if (batch && !atomic) return await this.#oneByOne(prepared);
    return itemsOf((await this.#commit(prepared, idempotencyOf(this.#request, null), NOTHING_PAST)).results);
  }

  async #prepare(): Promise<readonly PreparedOperation[]> {
    const { operations, batch, atomic, idempotencyKey } = this.#request;
    const setting = {
      caller: this.#caller,
      now: this.#options.clock.now(),
      zone: this.#options.zone(),
      made: new Set<VaultPath>(),
      schema: this.#options.schema(),
      mayBeRetry: idempotencyKey !== null,
    };
    const prepared: PreparedOperation[] = [];
    const refused: { readonly op: number; readonly error: GroveError }[] = [];
    for (const [index, operation] of operations.entries()) {
      try {
        if (batch && atomic) refuseWholeFile(operation.action);
        const one = await prepareOperation(index, operation, setting);
        this.#requireHash(one, prepared);
        prepared.push(one);
      } catch (error) {
        if (!isGroveError(error)) throw error;
        refused.push({ op: index, error });
      }
    }
    const [first] = refused;
    if (first === undefined) return prepared;
    throw batch ? batchRefused(operations.length, refused, this.#caller) : first.error;
  }

  /**
   * Told before anything of a batch is done, unless it may be a retry: then the note may be there because an earlier
   * call made it.
   */
  #requireHash({ operation, target }: PreparedOperation, before: readonly PreparedOperation[]): void {
    const { batch, atomic, idempotencyKey } = this.#request;
    if (!batch || atomic || idempotencyKey !== null || target.row === null) return;
    const { action, ifHash, ifHashFromOp } = operation;
    const isTouched = before.some((earlier) => earlier.target.path === target.path);
    if (isTouched && !isWholeFile(action)) return;
    if (needsHash(action) && ifHash === null && ifHashFromOp === null)
      throw new GroveError('hash_required', { path: target.path, action });
  }

  /** A retry of what was done may name what is no longer there: its answer is still the one it got. */
  async #answeredBefore(error: unknown): Promise<readonly BatchItem[]> {
    const idempotency = this.#request.batch ? null : idempotencyOf(this.#request, null);
    if (idempotency === null || !isGroveError(error, 'note_not_found')) throw error;
    const outcome = await this.#options.engine.apply({
      paths: [],
      author: this.#caller.author,
      idempotency,
      plan: () => {
        throw error;
      },
    });
    return itemsOf(resultsOf(outcome, outcome.answer as ToldOperation[], this.#for));
  }

  get #for(): ResultsFor {
    return { may: this.#caller.may, deletes: this.#options.deletePolicy() };
  }

  async #oneByOne(prepared: readonly PreparedOperation[]): Promise<readonly BatchItem[]> {
    const items: BatchItem[] = [];
    let past = NOTHING_PAST;
    const refusedPaths = new Set<VaultPath>();
    for (const one of prepared) {
      const { path } = one.target;
      try {
        if (refusedPaths.has(path))
          throw new GroveError('operation_skipped', {
            op: one.index,
            reason: 'an earlier operation on the same note was refused',
          });
        const done = await this.#commit([one], idempotencyOf(this.#request, one.index), past);
        past = done.left;
        items.push(...itemsOf(done.results));
      } catch (error) {
        if (!isGroveError(error)) throw error;
        refusedPaths.add(path);
        items.push({ error: asCallerSees(error, this.#caller) });
      }
    }
    return items;
  }

  async #commit(
    prepared: readonly PreparedOperation[],
    idempotency: EngineRequest['idempotency'],
    past: BatchPast,
  ): Promise<{ readonly results: readonly NoteWriteResult[]; readonly left: BatchPast }> {
    const [first, ...others] = prepared;
    if (first !== undefined && others.length === 0 && isWholeFile(first.operation.action))
      return await this.#commitWhole(first, idempotency, past);
    // The last one that ran: the plan runs again when somebody else was faster.
    const plans: { readonly planned: PlannedBatch; readonly wiring: WiringTask | null }[] = [];
    let met: ReadonlyMap<VaultPath, FileNow | null> = new Map();
    const request: EngineRequest = {
      paths: [...new Set(prepared.map(({ target }) => target.path))],
      author: this.#caller.author,
      idempotency,
      dryRun: this.#request.dryRun,
      plan: async (files) => {
        met = files;
        const planned = await planBatch(prepared, files, this.#setting(past));
        this.#refuse(planned);
        const wiring = this.#wiring(planned);
        plans.push({ planned, wiring });
        return {
          changes: planned.changes,
          ...commitWords(prepared.map(({ operation, target }) => ({ operation, path: target.path }))),
          mechanical: false,
          answer: toldBy(planned),
          followUp: wiring,
        };
      },
    };
    let outcome: EngineOutcome;
    try {
      outcome = await this.#slow.around(
        first?.target.path ?? '',
        () => this.#options.engine.apply(request),
        () => planBatch(prepared, met, this.#setting(past)),
      );
    } catch (error) {
      this.#takeBackAppends(prepared);
      throw error;
    }
    if (this.#request.dryRun) this.#takeBackAppends(prepared);
    const last = plans.at(-1);
    if (last !== undefined && !outcome.replayed) {
      const { planned, wiring } = last;
      if (wiring !== null && outcome.followUp !== null) this.#wirings.set(outcome.followUp, wiring);
      const done = resultsOf(outcome, toldBy(planned), this.#for);
      const { discovery } = this.#options;
      const schema = this.#options.schema();
      const setting = { files: met, caller: this.#caller, schema, discovery };
      return { results: await withSuggestions(done, planned, setting), left: planned.left };
    }
    const results = resultsOf(outcome, outcome.answer as readonly ToldOperation[], this.#for);
    const sourceHashes = new Map(past.sourceHashes);
    for (const [at, { sourceHash }] of results.entries())
      if (sourceHash !== null) sourceHashes.set(prepared[at]?.index ?? at, sourceHash);
    return { results, left: { ...past, sourceHashes } };
  }

  /** A move, a deletion or a restoration: a commit of its own, over more than the one note's text. */
  async #commitWhole(
    prepared: PreparedOperation,
    idempotency: EngineRequest['idempotency'],
    past: BatchPast,
  ): Promise<{ readonly results: readonly NoteWriteResult[]; readonly left: BatchPast }> {
    const { dryRun } = this.#request;
    this.#trashBatch ??= newBatch(this.#options.clock.now());
    const whole = await planWholeFile(prepared, {
      ...this.#options,
      caller: this.#caller,
      ifHash: hashToHold(prepared, past.sourceHashes),
      also: past.also.get(prepared.target.path) ?? new Set(),
      batch: this.#trashBatch,
      dryRun,
      confirmed: this.#confirmed,
    });
    let outcome: EngineOutcome;
    try {
      outcome = await this.#options.engine.apply({
        paths: whole.paths,
        author: this.#caller.author,
        idempotency,
        dryRun,
        plan: async (files) => {
          const { changes, told, followUp = null } = await whole.plan(files);
          const remarks = await this.#judgeMove(prepared, files, changes);
          return {
            changes,
            ...commitWords([{ operation: prepared.operation, path: prepared.target.path }]),
            mechanical: false,
            answer: [{ ...told, remarks: [...told.remarks, ...remarks] }],
            followUp,
          };
        },
      });
    } catch (error) {
      await whole.failed();
      throw error;
    }
    const results = resultsOf(outcome, outcome.answer as readonly ToldOperation[], this.#for);
    const remarks = outcome.replayed || dryRun ? [] : await whole.done(outcome.followUp);
    const sourceHashes = new Map(past.sourceHashes);
    for (const { sourceHash } of results)
      if (sourceHash !== null) sourceHashes.set(prepared.index, sourceHash);
    return {
      results: results.map((result) => ({ ...result, remarks: [...result.remarks, ...remarks] })),
      left: { ...past, sourceHashes },
    };
  }

  #wiring(planned: PlannedBatch): WiringTask | null {
    const { discovery, ground, schema } = this.#options;
    if (discovery.setting() !== 'wire') return null;
    const seesAll = this.#caller.view === ground.ownerView();
    return wiringTaskOf(planned, this.#caller, { schema: schema(), seesAll });
  }

  #setting(past: BatchPast): BatchSetting {
    const { engine } = this.#options;
    const { batch, atomic, merge, operations } = this.#request;
    return {
      caller: this.#caller,
      // Within one commit a change that was merged could not be told from one that was asked for.
      merge: merge && !(batch && atomic),
      diffBytes: batch ? diffShare(operations.length) : DIFF_BYTES,
      patience: this.#patience,
      slowly: (index, text, edit) => this.#slow.change(index, text, edit),
      baseOf: (path, hash) => engine.baseOf(path, hash),
      sourceOf: (path) => engine.sourceOf(path),
      beginAppend: (prepared, isGone) => this.#beginAppend(prepared, isGone),
      judge: (change) => this.#judge(change),
      past,
    };
  }

  /** A moved note keeps the rules of its new folder; what is restored or only mended is as it was. */
  async #judgeMove(
    { operation, target, destination }: PreparedOperation,
    files: ReadonlyMap<VaultPath, FileNow | null>,
    changes: readonly PlannedChange[],
  ): Promise<readonly string[]> {
    const before = files.get(target.path) ?? null;
    const after = changes.find(({ path }) => path === destination)?.after ?? null;
    if (destination === null || before === null || after === null) return [];
    await requireShown(this.#caller, destination, after, operation.to ?? destination);
    return await this.#judge({
      before: { path: target.path, bytes: before.bytes },
      after: { path: destination, bytes: after },
    });
  }

  async #judge(change: NoteChange): Promise<readonly string[]> {
    const { view, policy, may } = this.#caller;
    const kept = await judgeChange(change, { schema: this.#options.schema(), view, policy });
    // Who may not read is not told what stands in a note.
    return kept.length === 0 || !may.read ? [] : [keptRemark(kept)];
  }

  /** A plan may run again for the same call, which must not count as a second append. */
  #beginAppend({ index, target, operation }: PreparedOperation, isGone: boolean): boolean {
    if (this.#begun.has(index)) return true;
    const takeBack = this.#appends.begin(this.#caller.author, target.path, operation, isGone);
    if (takeBack === null) return false;
    this.#begun.set(index, takeBack);
    return true;
  }

  #takeBackAppends(prepared: readonly PreparedOperation[]): void {
    for (const { index } of prepared) this.#begun.get(index)?.();
  }

  #refuse({ items }: PlannedBatch): void {
    const refused = items.flatMap((item) =>
      'error' in item ? [{ op: item.prepared.index, error: item.error }] : [],
    );
    const [first] = refused;
    if (first === undefined) return;
    const { batch, atomic, operations } = this.#request;
    throw batch && atomic ? batchRefused(operations.length, refused, this.#caller) : first.error;
  }
}

const NOTHING_PAST: BatchPast = { sourceHashes: new Map(), also: new Map() };

function diffShare(operations: number): number {
  const share = Math.min(DIFF_BYTES, Math.floor(BATCH_DIFF_BYTES / operations));
  return share < LEAST_DIFF_BYTES ? 0 : share;
}

function itemsOf(results: readonly NoteWriteResult[]): BatchItem[] {
  return results.map((result) => ({ result }));
}
