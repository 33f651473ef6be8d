import type { Control } from '@grove/access';
import { type Clock, isGroveError } from '@grove/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordStep } from '../../audit/record-step.ts';
import { networkOf } from '../../http/addresses.ts';
import type { Log } from '../../log.ts';
import { cookieOf, keepCookie } from '../../pages/cookies.ts';
import { Attempts } from './attempts.ts';
import { deviceOf, newDevice } from './device.ts';
import { OwnerSessions } from './sessions.ts';

interface SignInOptions {
  readonly control: Control;
  readonly clock: Clock;
  readonly publicUrl: string | null;
  readonly log: Log;
}

/** Why somebody is not taken for the owner, in words for the form that asked. */
export interface PassphraseFailure {
  readonly message: string;
  /** Of the answer, in HTTP. */
  readonly status: number;
}

/** Where the passphrase was asked for: by the owner's page, or on the way of a client. */
type SignInWay = 'owner' | 'oauth';

const DEVICE = 'grove_device';
const YEAR_S = 365 * 86_400;

/**
 * How the owner is known: by the passphrase, of which only so many wrong ones are taken, wherever it is asked for. One for
 * each server, since it counts.
 */
export class OwnerSignIn {
  readonly sessions: OwnerSessions;
  readonly #options: SignInOptions;
  readonly #attempts = new Attempts();

  constructor(options: SignInOptions) {
    this.#options = options;
    this.sessions = new OwnerSessions(options);
  }

  /**
   * Null for the owner's passphrase; else why not, which after too many wrong ones is said with `Retry-After`. Opens no
   * session; the browser has attempts of its own from then on.
   *
   * @example
   * const failure = await signIn.prove(request, reply, sent.passphrase, 'owner');
   * if (failure !== null) return showSignIn(failure);
   */
  async prove(
    request: FastifyRequest,
    reply: FastifyReply,
    passphrase: string,
    via: SignInWay,
  ): Promise<PassphraseFailure | null> {
    const { control, log } = this.#options;
    const from = { address: networkOf(request.ip), device: deviceOf(control, cookieOf(request, DEVICE)) };
    const begun = performance.now();
    try {
      await this.#attempts.begin(from);
    } catch (error) {
      if (!isGroveError(error, 'sign_in_limited')) throw error;
      reply.header('retry-after', String(error.data.seconds));
      log.warn('a sign-in was refused: too many wrong passphrases');
      this.#record(request, via, 'sign_in_limited', begun);
      return { message: `${error.message} ${error.hint}`, status: error.status };
    }
    const isOwner = await control.owner.verify(passphrase);
    if (isOwner) {
      await this.#attempts.succeed(from);
      if (from.device === null) this.remember(request, reply);
    }
    this.#record(request, via, isOwner ? 'ok' : 'passphrase_wrong', begun);
    return isOwner ? null : { message: 'This is not the passphrase.', status: 403 };
  }

  /** Gives a browser in which the owner is signed in attempts of its own. */
  remember(request: FastifyRequest, reply: FastifyReply): void {
    const { control, publicUrl } = this.#options;
    keepCookie(request, reply, publicUrl, { name: DEVICE, value: newDevice(control), maxAge: YEAR_S });
  }

  #record(request: FastifyRequest, via: SignInWay, outcome: string, begun: number): void {
    const ms = performance.now() - begun;
    recordStep(this.#options, request, { tool: 'sign_in', via, vault: '', ms, outcome, address: request.ip });
  }
}
