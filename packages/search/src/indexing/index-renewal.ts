import { rename } from 'node:fs/promises';
import { type Clock, GroveError } from '@grove/core';
import type { CatalogDelta, Vault } from '@grove/vault';
import type { LexicalEngine } from '../engine/port.ts';
import { removeFolder } from './index-folder.ts';
import { IndexWriter } from './index-writer.ts';
import { openPatiently } from './open-patiently.ts';

export interface RenewalOptions {
  readonly vault: Vault;
  /** Folder of the index that is to be replaced. */
  readonly dir: string;
  readonly engine: LexicalEngine;
  readonly clock: Clock;
}

/** Folder in which the new index is made; what a killed process left in it is of no use. */
export function renewalFolder(dir: string): string {
  return `${dir}.new`;
}

/** A new index that is made beside the one that answers, from every note of the vault. */
export class IndexRenewal {
  readonly #options: RenewalOptions;
  readonly #writer: IndexWriter;
  /** Rows written later are changes; the others are handed over again for this index alone. */
  readonly #since: number;
  #failure: unknown = null;
  /** What changed since the new index was sealed; null before that. */
  #late: CatalogDelta[] | null = null;

  static async start(options: RenewalOptions): Promise<IndexRenewal> {
    const folder = renewalFolder(options.dir);
    await removeFolder(folder);
    return new IndexRenewal(options, await openPatiently(options.engine, folder));
  }

  private constructor(options: RenewalOptions, index: Awaited<ReturnType<LexicalEngine['open']>>) {
    this.#options = options;
    this.#since = options.vault.sequence;
    this.#writer = new IndexWriter({
      index,
      sequence: 0,
      catalogId: options.vault.catalogId,
      clock: options.clock,
      isBulk: () => true,
      onFailure: (error) => this.#fail(error),
    });
    this.#writer.hold();
  }

  /** Notes that the new index holds already. */
  get documents(): number {
    return this.#writer.index.documentCount;
  }

  /** Takes a delta; queued in the turn of the call. Never rejects: {@link fill} tells. */
  async take(delta: CatalogDelta): Promise<void> {
    if (this.#failure !== null) return;
    if (this.#late !== null) this.#late.push(delta);
    else await this.#writer.take(delta).catch((error: unknown) => this.#fail(error));
  }

  /** What of a delta is news to the index that answers. */
  newsOf(delta: CatalogDelta): CatalogDelta {
    const kept = [...delta.upserted.keys()].filter((at) => delta.upserted[at]!.sequence > this.#since);
    return {
      upserted: kept.map((at) => delta.upserted[at]!),
      texts: kept.map((at) => delta.texts[at]!),
      removed: delta.removed,
    };
  }

  /** Resolves when the new index holds every note. Rejects with what went wrong. */
  async fill(): Promise<void> {
    const { vault } = this.#options;
    await vault.redeliver(null);
    // A vault that is closed stops in the middle, and says nothing.
    if (vault.state === 'closed') throw new GroveError('index_unavailable');
    this.#writer.release();
    await this.#writer.flush();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Closes the new index, which may take as long as its last merges. Rejects with what went wrong. */
  async seal(): Promise<void> {
    this.#late = [];
    await this.#writer.close();
    if (this.#failure !== null) throw this.#failure;
  }

  /**
   * Puts the new index, which is sealed, in the place of the old one, which must be closed by then. Answers what
   * changed since it was sealed, in order.
   */
  async install(): Promise<readonly CatalogDelta[]> {
    const { dir } = this.#options;
    await removeFolder(dir);
    await rename(renewalFolder(dir), dir);
    return this.#late ?? [];
  }

  /** Gives up: the new index is thrown away. */
  async drop(): Promise<void> {
    // Why it does not close is of no interest any more.
    await this.#writer.close().catch(() => undefined);
    await removeFolder(renewalFolder(this.#options.dir));
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
  }
}
