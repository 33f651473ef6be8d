import type { SQLOutputValue } from 'node:sqlite';
import { type Clock, GroveError } from '@grove/core';
import { CellReader } from '../control-file/cells.ts';
import type { ControlStore } from '../control-file/store.ts';
import { hashOfSecret, newSecret } from '../credentials/secret.ts';
import type { OwnerSecret, UpstreamAccount, UpstreamProvider } from './owner-secret.ts';
import { hashPassphrase, isPassphrase, isPassphraseHash, parsePassphrase } from './passphrase-hash.ts';

interface OwnerRow {
  readonly passphrase: string | null;
  readonly generation: number;
  /** Null without a set-up token. */
  readonly setup: { readonly hash: string; readonly expiresAt: number } | null;
}

const NOTHING: OwnerRow = { passphrase: null, generation: 0, setup: null };
/** Long enough to come back to it tomorrow; whoever finds the line of a terminal later finds nothing. */
const SETUP_MS = 24 * 3_600_000;
const WRITE = `INSERT INTO owner (only_row, passphrase, generation, setup_hash, setup_expires_at) VALUES (1, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET passphrase = excluded.passphrase, generation = excluded.generation,
  setup_hash = excluded.setup_hash, setup_expires_at = excluded.setup_expires_at`;
const BIND = 'INSERT OR IGNORE INTO owner_accounts (provider, subject, bound_at) VALUES (?, ?, ?)';
const UNBIND = 'DELETE FROM owner_accounts WHERE provider = ? AND subject = ?';
const SUBJECTS: Readonly<Record<UpstreamProvider, RegExp>> = {
  github: /^[1-9]\d{0,18}$/,
  google: /^[!-~]{1,255}$/,
};

const cell = new CellReader('owner');

/** The owner's secret of one open control.db. */
export class OwnerBook implements OwnerSecret {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(parts: { readonly store: ControlStore; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  isSet(): boolean {
    return this.#row().passphrase !== null;
  }

  async set(text: string): Promise<void> {
    const passphrase = await hashPassphrase(parsePassphrase(text));
    this.#change(({ generation }) => ({ passphrase, generation: generation + 1, setup: null }));
  }

  async verify(passphrase: string): Promise<boolean> {
    return await isPassphrase(this.#row().passphrase, passphrase);
  }

  generation(): number {
    return this.#row().generation;
  }

  setupToken(): string {
    const { secret, hash } = newSecret('setup');
    const setup = { hash, expiresAt: this.#clock.now() + SETUP_MS };
    this.#change((row) => ({ ...row, setup }));
    return secret;
  }

  isSetupToken(secret: string): boolean {
    return this.#isSetup(secret, this.#row());
  }

  useSetupToken(secret: string): boolean {
    if (!this.isSetupToken(secret)) return false;
    return this.#store.change(() => {
      const row = this.#read();
      if (!this.#isSetup(secret, row)) return false;
      this.#write({ ...row, setup: null });
      return true;
    });
  }

  bindUpstream(provider: UpstreamProvider, subject: string): void {
    if (SUBJECTS[provider]?.test(subject) !== true)
      throw new GroveError('bad_input', { reason: `that is no account of ${provider}` });
    this.#store.change(() => this.#store.statements.run(BIND, provider, subject, this.#clock.now()));
  }

  unbindUpstream(provider: UpstreamProvider, subject: string): void {
    this.#store.change(() => this.#store.statements.run(UNBIND, provider, subject));
  }

  upstreams(): readonly UpstreamAccount[] {
    return this.#store.read(() =>
      this.#store.statements
        .of('SELECT * FROM owner_accounts ORDER BY bound_at, provider, subject')
        .all()
        .map((cells) => ({
          provider: readProvider(cell.text(cells.provider)),
          subject: cell.text(cells.subject),
          boundAt: cell.number(cells.bound_at),
        })),
    );
  }

  #isSetup(secret: string, { setup }: OwnerRow): boolean {
    const hash = hashOfSecret('setup', secret);
    return hash !== null && setup !== null && setup.hash === hash && setup.expiresAt > this.#clock.now();
  }

  #row(): OwnerRow {
    return this.#store.read(() => this.#read());
  }

  #change(change: (row: OwnerRow) => OwnerRow): void {
    this.#store.change(() => this.#write(change(this.#read())));
  }

  #read(): OwnerRow {
    this.#store.refuseNewer();
    const cells = this.#store.statements.of('SELECT * FROM owner').get();
    if (cells === undefined) return NOTHING;
    const passphrase = cell.textOrNull(cells.passphrase);
    if (passphrase !== null && !isPassphraseHash(passphrase)) throw cell.unreadable();
    return {
      passphrase,
      generation: cell.number(cells.generation),
      setup: setupOf(cells),
    };
  }

  #write({ passphrase, generation, setup }: OwnerRow): void {
    const { hash, expiresAt } = setup ?? { hash: null, expiresAt: null };
    this.#store.statements.run(WRITE, passphrase, generation, hash, expiresAt);
  }
}

function setupOf(cells: Readonly<Record<string, SQLOutputValue>>): OwnerRow['setup'] {
  const hash = cell.textOrNull(cells.setup_hash);
  const expiresAt = cell.numberOrNull(cells.setup_expires_at);
  return hash === null || expiresAt === null ? null : { hash, expiresAt };
}

function readProvider(text: string): UpstreamProvider {
  if (text !== 'github' && text !== 'google') throw cell.unreadable();
  return text;
}
