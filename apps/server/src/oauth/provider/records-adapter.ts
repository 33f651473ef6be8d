import { createHash } from 'node:crypto';
import type { Control } from '@grove/access';
import type { Clock } from '@grove/core';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { confidentialClient } from '../clients/confidential-client.ts';

/** What the provider's records stand on. */
export interface RecordsOptions {
  readonly control: Pick<Control, 'oauth' | 'clients'>;
  readonly clock: Clock;
}

/**
 * How long a refresh token may be used once more. Two requests of one client at the same time, and an answer that was
 * lost on the way, must not cost it the grant (RFC 9700 section 4.14.2 leaves the reaction to the server).
 */
export const REFRESH_GRACE_SECONDS = 10;

/** How long a client that registered itself is kept while no code for it is redeemed. */
const UNUSED_CLIENT_SECONDS = 24 * 60 * 60;

/** How long a grant is kept while its code is not redeemed: the code's own minute, and one for the way to it. */
const UNREDEEMED_GRANT_SECONDS = 2 * 60;

/** The records of one model of the provider, in control.db. */
export class RecordsAdapter implements Adapter {
  readonly #model: string;
  readonly #records: Control['oauth'];
  readonly #clients: Control['clients'];
  readonly #clock: Clock;

  constructor(model: string, { control, clock }: RecordsOptions) {
    this.#model = model;
    this.#records = control.oauth;
    this.#clients = control.clients;
    this.#clock = clock;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    if (this.#model === 'Client')
      this.#records.upsert('Client', id, withHashedSecret(payload), UNUSED_CLIENT_SECONDS);
    else if (this.#model === 'Grant') this.#records.upsert('Grant', id, payload, UNREDEEMED_GRANT_SECONDS);
    else this.#records.upsert(this.#model, id, payload, expiresIn);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.#model === 'Client') {
      const made = this.#clients.find(id);
      if (made !== null) return confidentialClient(made);
    }
    const found = this.#found(id);
    if (found === undefined) return undefined;
    const { consumed, ...fresh } = found;
    return this.#isGraced(consumed) ? fresh : found;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#records.findByUid(this.#model, uid) as AdapterPayload | undefined;
  }

  /** The device flow, whose codes these are, is off. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const found = this.#found(id);
    if (this.#records.consume(this.#model, id)) {
      if (this.#model === 'AuthorizationCode') this.#keepRedeemed(found);
      return;
    }
    // A refresh token within its grace keeps the time of its first use.
    if (this.#isGraced(this.#found(id)?.consumed)) return;
    // Two requests with one code that came at the same time: the provider looked before either consumed it.
    if (typeof found?.grantId === 'string') {
      this.#records.destroy('Grant', found.grantId);
      this.#records.revokeByGrantId(found.grantId);
    }
    throw new errors.InvalidGrant('it was used already');
  }

  async destroy(id: string): Promise<void> {
    this.#records.destroy(this.#model, id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.#records.revokeByGrantId(grantId);
  }

  /** From its code's redemption on a grant is kept to its own end, and a client that registered itself for good. */
  #keepRedeemed({ grantId = '', clientId = '' }: AdapterPayload = {}): void {
    const grant = this.#records.find('Grant', grantId) as AdapterPayload | undefined;
    if (grant?.exp !== undefined)
      this.#records.upsert('Grant', grantId, grant, grant.exp - this.#clock.now() / 1_000);
    const client = this.#records.find('Client', clientId);
    if (client !== undefined) this.#records.upsert('Client', clientId, client, undefined);
  }

  #found(id: string): AdapterPayload | undefined {
    return this.#records.find(this.#model, id) as AdapterPayload | undefined;
  }

  #isGraced(consumed: unknown): boolean {
    if (this.#model !== 'RefreshToken' || typeof consumed !== 'number') return false;
    // A clock that was put back makes no grace longer.
    return Math.abs(this.#clock.now() / 1000 - consumed) < REFRESH_GRACE_SECONDS;
  }
}

/**
 * True for the secret of a client. Of the clients that the owner made, the provider knows none; of those that registered
 * themselves, a hash.
 */
export function isClientSecret(
  { clients }: Pick<Control, 'clients'>,
  client: { readonly clientId: string; readonly clientSecret?: string | undefined },
  secret: string,
): boolean {
  if (clients.find(client.clientId) !== null) return clients.verifySecret(client.clientId, secret);
  return client.clientSecret === hashOfSecret(secret);
}

/** What is kept of a secret: it holds 256 random bits and needs no slow hash. */
function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function withHashedSecret(payload: AdapterPayload): AdapterPayload {
  const secret = payload.client_secret;
  return typeof secret === 'string' ? { ...payload, client_secret: hashOfSecret(secret) } : payload;
}
