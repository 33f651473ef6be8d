import { InTurn } from '@grove/core';
import { HeldWords } from './held-words.ts';
import { keepGoodFile, lastGoodFile } from './last-good.ts';
import { readSettings, type SettingsReading } from './read-settings.ts';
import type { VaultSettings } from './settings.ts';
import { settingsStamp } from './settings-watch.ts';

export interface LiveSettingsOptions {
  readonly root: string;
  readonly stateDir: string;
  /** The process policy. */
  readonly mayRead: (path: string) => boolean;
}

/**
 * Settings that files from elsewhere, put into the folder by a sync, do not change before the owner agrees: `autocommit`,
 * `deletes` and `discovery` of `.grove/vault.yaml`.
 */
export interface OwnersWord {
  /** What waits for it, as a sentence; null where nothing does. */
  readonly waiting: string | null;
  /** To be called before files from elsewhere are put in place; durable when it resolves. */
  hold(): Promise<void>;
  /** To be called when they are, or are not to come. */
  settle(): Promise<void>;
  /** What the file says counts from now on. */
  accept(): Promise<void>;
}

/** What the folder says about itself, read again when one of its files changes. */
export class LiveSettings implements OwnersWord {
  readonly #options: LiveSettingsOptions;
  readonly #held: HeldWords;
  readonly #listeners = new Set<() => void>();
  readonly #turns = new InTurn();
  #isThere: () => boolean = () => true;
  #stamp: string;
  #reading: SettingsReading;

  private constructor(
    options: LiveSettingsOptions,
    held: HeldWords,
    { stamp, reading }: { readonly stamp: string; readonly reading: SettingsReading },
  ) {
    this.#options = options;
    this.#held = held;
    this.#stamp = stamp;
    this.#reading = reading;
  }

  static async open(options: LiveSettingsOptions): Promise<LiveSettings> {
    const { root, stateDir, mayRead } = options;
    const stamp = settingsStamp(root);
    const held = await HeldWords.open(stateDir);
    const reading = await readSettings(root, mayRead, await lastGoodFile(stateDir), held);
    const live = new LiveSettings(options, held, { stamp, reading });
    await live.#keepGood();
    return live;
  }

  get current(): VaultSettings {
    return this.#reading.settings;
  }

  get waiting(): string | null {
    return this.#held.waiting(this.#reading.read);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A folder that is not there says nothing: what was read before stays. */
  onlyWhile(isThere: () => boolean): void {
    this.#isThere = isThere;
  }

  /** Reads them again where a stat says so. */
  lookAgain(): Promise<void> {
    return this.#turns.run(() => this.#look());
  }

  hold(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#look();
      await this.#held.begin(this.#reading.read);
    });
  }

  settle(): Promise<void> {
    return this.#turns.run(async () => {
      if (!this.#held.isOpen || !this.#isThere()) return;
      await this.#read();
      await this.#held.settle(this.#reading.read.hash);
      await this.#read();
    });
  }

  accept(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#held.accept();
      await this.#read();
    });
  }

  async #look(): Promise<void> {
    if (settingsStamp(this.#options.root) !== this.#stamp) await this.#read();
  }

  async #read(): Promise<void> {
    if (!this.#isThere()) return;
    const { root, mayRead } = this.#options;
    const stamp = settingsStamp(root);
    this.#reading = await readSettings(root, mayRead, this.#reading.file, this.#held);
    // Not before: settings that could not be read are read at the next look.
    this.#stamp = stamp;
    await this.#keepGood();
    for (const listener of this.#listeners) listener();
  }

  async #keepGood(): Promise<void> {
    const { isValid, text, read } = this.#reading;
    if (isValid) await keepGoodFile(this.#options.stateDir, text);
    await this.#held.seen(read);
  }
}
