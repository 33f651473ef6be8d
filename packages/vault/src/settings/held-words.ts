import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, errorCode, writeDurably } from '@grove/core';
import * as z from 'zod';
import type { VaultSettings } from './settings.ts';
import { VAULT_FILE, type VaultFile } from './vault-file.ts';

const HELD_FILE = 'held-settings.json';

const WORDS = z.object({
  autocommit: z.boolean().nullable(),
  deletes: z.enum(['trash', 'confirm', 'deny']),
  discovery: z.enum(['off', 'suggest', 'wire']),
});
const HELD = z.object({
  inForce: WORDS,
  before: z.string(),
  wasHeld: z.boolean(),
  came: z.string().nullable(),
});

/** What `.grove/vault.yaml` says of what Grove does by itself, and of what clients may delete. */
export type OwnersWords = Pick<VaultSettings, 'autocommit' | 'deletes' | 'discovery'>;

/** Of a file that was read: what it says, and by which text. */
export interface ReadWords {
  readonly words: OwnersWords;
  /** Of the text; `''` where there is none that can be read. */
  readonly hash: string;
  readonly isValid: boolean;
}

/** What is kept on disk. While files from elsewhere are being put in place `came` is null: nobody's text counts then. */
interface Held {
  readonly inForce: OwnersWords;
  readonly before: string;
  readonly wasHeld: boolean;
  /** The text that came from elsewhere. Another one is the owner's. */
  readonly came: string | null;
}

/** In place of a file that cannot be understood. */
const MOST_CAREFUL: Held = {
  inForce: { autocommit: false, deletes: 'deny', discovery: 'off' },
  before: '',
  wasHeld: true,
  came: null,
};

/**
 * Keeps what comes from elsewhere into `.grove/vault.yaml` from deciding what is published, deleted and rewritten here,
 * until the owner agrees or edits the file. It is on disk before the file comes, so that a crash changes nothing of it.
 */
export class HeldWords {
  readonly #path: string;
  #held: Held | null;

  private constructor(path: string, held: Held | null) {
    this.#path = path;
    this.#held = held;
  }

  static async open(stateDir: string): Promise<HeldWords> {
    const path = join(stateDir, HELD_FILE);
    return new HeldWords(path, await readHeld(path));
  }

  /** The words that count while the file is as it was read. */
  over(read: ReadWords): OwnersWords {
    return this.#held !== null && applies(this.#held, read) ? this.#held.inForce : read.words;
  }

  /** What waits for the owner's word, as a sentence; null where nothing does. */
  waiting(read: ReadWords): string | null {
    const inForce = this.over(read);
    const names = (['autocommit', 'deletes', 'discovery'] as const).filter(
      (name) => inForce[name] !== read.words[name],
    );
    if (names.length === 0) return null;
    const told = names.map((name) => `${name}: ${said(read.words[name])} (${said(inForce[name])} holds)`);
    return `${VAULT_FILE} came by sync, and this of it waits for your word: ${told.join(', ')}. Look at the file, then agree with: grove sync accept`;
  }

  /** From now on the words stay as they are, whatever is put in place. */
  async begin(read: ReadWords): Promise<void> {
    // What was cut off in the middle goes on from where it began.
    if (this.#held?.came === null) await this.#keep(this.#held);
    else {
      const wasHeld = this.#held !== null && applies(this.#held, read);
      await this.#keep({ inForce: this.over(read), before: read.hash, wasHeld, came: null });
    }
  }

  /** True while files from elsewhere may be put in place. */
  get isOpen(): boolean {
    return this.#held?.came === null;
  }

  /** All is in place: a file that is another one than before came from elsewhere. */
  async settle(hash: string): Promise<void> {
    if (this.#held === null || this.#held.came !== null) return;
    if (hash !== this.#held.before || this.#held.wasHeld) await this.#keep({ ...this.#held, came: hash });
    else await this.accept();
  }

  /** Forgets what is held once the owner has edited the file. */
  async seen(read: ReadWords): Promise<void> {
    if (this.#held === null || applies(this.#held, read)) return;
    this.#held = null;
    // One that cannot be removed is of another text, and counts for nothing.
    await rm(this.#path, { force: true }).catch(() => {});
  }

  /** What the file says counts. */
  async accept(): Promise<void> {
    await rm(this.#path, { force: true });
    this.#held = null;
  }

  async #keep(held: Held): Promise<void> {
    // Held in any case: a disk that takes nothing must not let it count.
    this.#held = held;
    await writeDurably(this.#path, `${JSON.stringify(held)}\n`, 0o600);
  }
}

/** What a file says of the three, with what counts where it says nothing. */
export function wordsOf({ autocommit, deletes, discovery }: VaultFile): OwnersWords {
  return {
    autocommit: autocommit ?? null,
    deletes: deletes ?? 'trash',
    discovery: discovery ?? 'suggest',
  };
}

export function hashOf(text: string | null): string {
  return text === null ? '' : contentHash(Buffer.from(text, 'utf8'));
}

function applies({ came }: Held, { hash, isValid }: ReadWords): boolean {
  return came === null || came === hash || !isValid;
}

function said(word: boolean | string | null): string {
  return word === null ? 'the default' : String(word);
}

async function readHeld(path: string): Promise<Held | null> {
  try {
    const parsed = HELD.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : MOST_CAREFUL;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    return MOST_CAREFUL;
  }
}
