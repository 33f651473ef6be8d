import { type Clock, errorCode, GroveError, isGroveError } from '@grove/core';
import type { CatalogDelta, Vault } from '@grove/vault';
import type { SearchHealth } from '../contract.ts';
import type { LexicalEngine, LexicalIndex } from '../engine/port.ts';
import { contentFault, damaged, openingFault, runningFault, unusable } from './index-faults.ts';
import { type FolderIdentity, markFolder, removeFolder } from './index-folder.ts';
import { IndexRenewal, renewalFolder } from './index-renewal.ts';
import { IndexWriter } from './index-writer.ts';
import { openPatiently } from './open-patiently.ts';
import { readPayload } from './payload.ts';

/** Milliseconds between looks at the folder, and between attempts to get a failed index back. */
const LOOK_INTERVAL = 2000;
const RETRY_INTERVAL = 5000;
/** Longest wait (ms) of a query for a rebuild; after it, what is there already answers. */
const REBUILD_PATIENCE = 2000;

export interface IndexKeeperOptions {
  readonly vault: Vault;
  readonly dir: string;
  readonly engine: LexicalEngine;
  readonly clock: Clock;
}

interface OpenIndex {
  readonly writer: IndexWriter;
  readonly folder: FolderIdentity;
}

/**
 * Keeps one index in step with its vault, whatever happens to the index: it is derived, so that a missing,
 * damaged or outdated one is deleted and built anew from the vault, and search goes on.
 */
export class IndexKeeper {
  /** Resolves when the index holds every note of the opened vault. */
  readonly ready: Promise<void>;
  readonly #options: IndexKeeperOptions;
  readonly #unsubscribe: () => void;
  /** The index, once it is open; null while there is none. */
  #open: Promise<OpenIndex | null>;
  #state: SearchHealth['state'] = 'opening';
  #problem: string | null = null;
  #rebuilt: string | null = null;
  #current: OpenIndex | null = null;
  #rebuilding: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;
  #renewal: IndexRenewal | null = null;
  #streaming = true;
  #lastLook = 0;
  #lastTry = 0;

  constructor(options: IndexKeeperOptions) {
    this.#options = options;
    // Subscribed before anything is awaited: what changes from now on is delivered, what the catalog holds
    // already is caught up with.
    const subscribedAt = options.vault.sequence;
    this.#unsubscribe = options.vault.onDelta((delta) => this.#accept(delta));
    this.#open = this.#begin(subscribedAt).catch((error: unknown) => this.#fail(error));
    this.ready = this.#becomeReady(subscribedAt);
    // Whoever waits hears of it; health says it to the others.
    this.ready.catch((error: unknown) => this.#fail(error));
  }

  health(): Omit<SearchHealth, 'meaning' | 'meaningProblem'> {
    return {
      state: this.#state,
      problem: this.#problem,
      documents: this.#current?.writer.index.documentCount ?? 0,
      pending: this.#current?.writer.pending ?? 0,
      renewed: this.#renewal?.documents ?? null,
      rebuilt: this.#rebuilt,
    };
  }

  /**
   * Runs a query on the index as the catalog stands now: what waits is committed first, a folder that was
   * deleted or damaged is rebuilt and the query asked once more. Throws `index_unavailable` without an index.
   */
  async query<T>(ask: (index: LexicalIndex) => Promise<T>): Promise<T> {
    const asked = this.#open;
    try {
      return await this.#ask(ask);
    } catch (error) {
      if (isGroveError(error) || this.#state === 'closed') throw error;
      const isReplaced = this.#open !== asked;
      if (!isReplaced && !(await this.#recover(error))) throw unusable(error);
    }
    try {
      return await this.#ask(ask);
    } catch (error) {
      throw unusable(error);
    }
  }

  /** Asks the index as its last commit left it, at no cost to anybody else; null where it cannot tell. */
  async glance<T>(ask: (index: LexicalIndex) => Promise<T>): Promise<T | null> {
    if (this.#current === null || this.#state !== 'ready') return null;
    try {
      return await ask(this.#current.writer.index);
    } catch (error) {
      // The next query finds out what is wrong with it.
      if (errorCode(error) === undefined) throw error;
      return null;
    }
  }

  /**
   * Builds the index anew; resolves when it holds every note. Until then one that is sound goes on answering.
   * Throws `index_unavailable` when that failed.
   */
  async rebuild(): Promise<void> {
    const reason = 'A rebuild was asked for.';
    if (this.#state === 'ready' && this.#rebuilding === null) await this.#renew(reason);
    else await this.#rebuild(reason);
    if (this.#state !== 'ready') throw new GroveError('index_unavailable');
  }

  /** Commits, closes the index and leaves the folder complete for the next start. */
  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#unsubscribe();
    const renewal = this.#renewal;
    this.#renewal = null;
    await renewal?.drop();
    const open = await this.#open;
    this.#current = null;
    await open?.writer.close();
  }

  async #ask<T>(ask: (index: LexicalIndex) => Promise<T>): Promise<T> {
    await this.#look();
    if (this.#rebuilding !== null) await patiently(this.#rebuilding);
    const open = await this.#open;
    if (open === null || this.#state === 'closed') throw new GroveError('index_unavailable');
    // What the catalog has may still be on its way here.
    if (!this.#streaming) await patiently(this.#options.vault.delivered());
    if (open.writer.dirty && !this.#streaming) await open.writer.flush();
    return await ask(open.writer.index);
  }

  /** Looks now and then whether the folder is still ours, and tries again where opening had failed. */
  async #look(): Promise<void> {
    const now = this.#options.clock.now();
    if (this.#state === 'failed' && isOver(this.#lastTry, RETRY_INTERVAL, now)) {
      this.#lastTry = now;
      await this.#rebuild(this.#rebuilt ?? 'It could not be used before.');
    } else if (this.#state === 'ready' && isOver(this.#lastLook, LOOK_INTERVAL, now)) {
      this.#lastLook = now;
      await this.#recover(null);
    }
  }

  /** True when the index was found gone or damaged and is being built anew. */
  async #recover(error: unknown): Promise<boolean> {
    if (this.#rebuilding !== null) {
      await patiently(this.#rebuilding);
      return true;
    }
    const open = await this.#open;
    if (open === null || this.#state === 'closed') return false;
    const reason = await runningFault(this.#options.dir, open.folder, open.writer.index, error);
    if (reason === null) return false;
    await patiently(this.#rebuild(reason));
    return true;
  }

  async #accept(delta: CatalogDelta): Promise<void> {
    const renewal = this.#renewal;
    // Before anything is awaited: what is queued now is in the new index when it is put in place.
    const renewed = renewal?.take(delta);
    const open = await this.#open;
    if (open === null || this.#state === 'closed') return;
    try {
      // An index that was replaced meanwhile needs no more.
      if (renewal === null || this.#current === open)
        await open.writer.take(renewal === null ? delta : renewal.newsOf(delta));
      await renewed;
    } catch (error) {
      // A rebuild delivers this delta's notes again; the vault must not wait for it here, since the
      // rebuild waits for the vault.
      this.#recover(error).then(
        (recovering) => (recovering ? undefined : this.#fail(error)),
        (worse: unknown) => this.#fail(worse),
      );
    }
  }

  async #begin(subscribedAt: number): Promise<OpenIndex> {
    const { dir, engine, vault } = this.#options;
    await removeFolder(renewalFolder(dir));
    let index: LexicalIndex;
    try {
      index = await openPatiently(engine, dir);
    } catch (error) {
      const reason = openingFault(error);
      if (reason === null) throw error;
      return await this.#start(reason);
    }
    const payload = readPayload(index.payload);
    const reason = contentFault(index, payload, vault, subscribedAt);
    if (reason === null && payload !== null && vault.changesSince(payload.sequence) !== null) {
      return await this.#adopt(index, payload.sequence);
    }
    if (index.documentCount === 0 && payload === null) {
      this.#rebuilt = reason;
      return await this.#adopt(index, 0);
    }
    await index.close();
    return await this.#start(reason ?? 'The catalog no longer knows what changed since.');
  }

  /** An empty index in place of whatever the folder holds. */
  async #start(reason: string): Promise<OpenIndex> {
    const { dir, engine } = this.#options;
    this.#rebuilt = reason;
    await removeFolder(dir);
    return await this.#adopt(await openPatiently(engine, dir), 0);
  }

  async #adopt(index: LexicalIndex, sequence: number): Promise<OpenIndex> {
    const writer = new IndexWriter({
      index,
      sequence,
      catalogId: this.#options.vault.catalogId,
      clock: this.#options.clock,
      isBulk: () => this.#streaming,
      onFailure: (error) => {
        this.#recover(error).catch((worse: unknown) => this.#fail(worse));
      },
    });
    writer.hold();
    this.#current = { writer, folder: await markFolder(this.#options.dir) };
    return this.#current;
  }

  async #becomeReady(subscribedAt: number): Promise<void> {
    try {
      await this.#catchUp(subscribedAt);
    } catch (error) {
      if (this.#state === 'closed' || !(await this.#recover(error))) throw error;
    }
    await this.#rebuilding;
    if (this.#state === 'failed') throw new GroveError('index_unavailable');
  }

  async #catchUp(subscribedAt: number): Promise<void> {
    const open = await this.#open;
    if (open === null) return;
    const { vault } = this.#options;
    const since = readPayload(open.writer.index.payload)?.sequence ?? 0;
    const changes = vault.changesSince(since);
    await open.writer.remove(changes?.removedIds ?? []);
    // Later rows reach the listener by themselves.
    const missed = changes?.upserted.filter((row) => row.sequence <= subscribedAt) ?? null;
    if (missed === null || missed.length > 0) await vault.redeliver(missed);
    open.writer.release(subscribedAt);
    await vault.ready;
    await open.writer.flush();
    if (this.#state !== 'opening') return;
    this.#settle();
    this.#searchForDamage(open);
  }

  /** Reads every checksum in the background: a file that rotted opens like a sound one. */
  #searchForDamage(open: OpenIndex): void {
    open.writer.index
      .damagedFiles()
      .then(
        async (files) => {
          if (files.length > 0 && this.#current === open) await this.#rebuild(damaged(files));
        },
        (error: unknown) => {
          if (this.#current === open && this.#state !== 'closed')
            return this.#recover(error).then(() => undefined);
        },
      )
      .catch((error: unknown) => this.#fail(error));
  }

  /** Makes a new index beside the one that answers, and puts it in place; who asks twice waits for the same one. */
  #renew(reason: string): Promise<void> {
    this.#renewing ??= this.#renewNow(reason).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renewNow(reason: string): Promise<void> {
    const renewal = await IndexRenewal.start(this.#options).catch((error: unknown) => {
      throw unusable(error);
    });
    if (this.#state !== 'ready') {
      await renewal.drop();
      await this.#rebuilding;
      return;
    }
    this.#renewal = renewal;
    try {
      await renewal.fill();
      await renewal.seal();
      // An index that was found gone or damaged meanwhile is being rebuilt in its own place.
      if (this.#renewal === renewal) return await this.#replace(renewal, reason);
      await renewal.drop();
      await this.#rebuilding;
    } catch (error) {
      if (this.#renewal === renewal) this.#renewal = null;
      await renewal.drop();
      throw unusable(error);
    }
  }

  async #replace(renewal: IndexRenewal, reason: string): Promise<void> {
    const { dir, engine } = this.#options;
    const old = this.#current;
    // In one turn: whoever asks from now on waits for the new index, and whatever changes goes there.
    this.#renewal = null;
    this.#current = null;
    this.#open = (async () => {
      await old?.writer.close().catch(() => undefined);
      const late = await renewal.install();
      const index = await openPatiently(engine, dir);
      const open = await this.#adopt(index, readPayload(index.payload)?.sequence ?? 0);
      open.writer.release();
      for (const delta of late) await open.writer.take(delta);
      return open;
    })().catch((error: unknown) => this.#fail(error));
    if ((await this.#open) !== null) this.#rebuilt = reason;
  }

  #rebuild(reason: string): Promise<void> {
    this.#rebuilding ??= this.#rebuildNow(reason)
      .catch((error: unknown) => {
        this.#fail(error);
      })
      .finally(() => {
        this.#rebuilding = null;
      });
    return this.#rebuilding;
  }

  async #rebuildNow(reason: string): Promise<void> {
    this.#state = 'rebuilding';
    this.#streaming = true;
    // Whoever makes it notices, and throws it away.
    this.#renewal = null;
    const old = await this.#open;
    this.#open = (async () => {
      // The old index is thrown away: why it does not close is of no interest any more.
      await old?.writer.close().catch(() => undefined);
      return await this.#start(reason);
    })().catch((error: unknown) => this.#fail(error));
    const open = await this.#open;
    if (open === null || this.#closed()) return;
    await this.#options.vault.redeliver(null);
    open.writer.release();
    await open.writer.flush();
    if (!this.#closed()) this.#settle();
  }

  #closed(): boolean {
    return this.#state === 'closed';
  }

  #settle(): void {
    this.#state = 'ready';
    this.#problem = null;
    this.#streaming = false;
    this.#lastLook = this.#options.clock.now();
  }

  #fail(error: unknown): null {
    if (this.#state === 'closed') return null;
    // Whoever waited for the index fails after it did; the first cause is the one to tell.
    if (this.#state === 'failed' && isGroveError(error, 'index_unavailable')) return null;
    this.#state = 'failed';
    this.#problem = `The search index cannot be used: ${error instanceof Error ? error.message : String(error)}`;
    this.#lastTry = this.#options.clock.now();
    return null;
  }
}

/** Also where the clock was put back meanwhile. */
function isOver(begin: number, length: number, now: number): boolean {
  return now < begin || now >= begin + length;
}

async function patiently(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, REBUILD_PATIENCE);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
}
