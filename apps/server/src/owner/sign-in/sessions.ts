import { randomBytes } from 'node:crypto';
import type { Control } from '@grove/access';
import { type Clock, isGroveError } from '@grove/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { cookieOf, dropCookie, keepCookie } from '../../pages/cookies.ts';

/** The owner, signed in in one browser. */
export interface OwnerSession {
  /** The secret of its cookie. */
  readonly id: string;
}

interface SessionsOptions {
  readonly control: Control;
  readonly clock: Clock;
  readonly publicUrl: string | null;
}

const COOKIE = 'grove_owner';
/** Kept among the records of sign-ins, by its hash. */
const RECORD = 'OwnerSession';
const IDLE_S = 12 * 3_600;
/** However often it is used. */
const LONGEST_MS = 30 * 86_400_000;
/** A use is written down so often at most. */
const NOTED_MS = 5 * 60_000;

const kept = z.object({ generation: z.number(), openedAt: z.number(), seenAt: z.number() });

/**
 * Sessions of the owner. One ends twelve hours after its last use, when the owner signs out, and when the passphrase is
 * another; it survives a restart. control.db holds hashes alone.
 */
export class OwnerSessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Opens a session with a new secret; the one that the browser had before ends. */
  open(request: FastifyRequest, reply: FastifyReply): OwnerSession {
    const { control, clock, publicUrl } = this.#options;
    this.#destroy(request);
    const id = randomBytes(32).toString('base64url');
    const now = clock.now();
    this.#keep(id, { generation: control.owner.generation(), openedAt: now, seenAt: now });
    keepCookie(request, reply, publicUrl, { name: COOKIE, value: id, maxAge: null });
    return { id };
  }

  /**
   * The live session of a request; null without one.
   *
   * @param isUse false for what a browser loads by itself, which keeps no session alive
   */
  of(request: FastifyRequest, isUse = true): OwnerSession | null {
    const { control, clock } = this.#options;
    const id = idOf(request);
    if (id === null) return null;
    const known = kept.safeParse(control.oauth.find(RECORD, id));
    if (!known.success) return null;
    const { generation, openedAt, seenAt } = known.data;
    const now = clock.now();
    if (generation !== control.owner.generation() || now - openedAt > LONGEST_MS) {
      control.oauth.destroy(RECORD, id);
      return null;
    }
    if (isUse && now - seenAt > NOTED_MS) this.#note(id, { generation, openedAt, seenAt: now });
    return { id };
  }

  /** Ends the session of a request. */
  end(request: FastifyRequest, reply: FastifyReply): void {
    this.#destroy(request);
    dropCookie(reply, COOKIE);
  }

  /** A disk that is full must not keep the owner from the page that says so. */
  #note(id: string, session: z.output<typeof kept>): void {
    try {
      this.#keep(id, session);
    } catch (error) {
      if (!isGroveError(error)) throw error;
    }
  }

  #keep(id: string, session: z.output<typeof kept>): void {
    this.#options.control.oauth.upsert(RECORD, id, session, IDLE_S);
  }

  #destroy(request: FastifyRequest): void {
    const id = idOf(request);
    if (id !== null) this.#options.control.oauth.destroy(RECORD, id);
  }
}

function idOf(request: FastifyRequest): string | null {
  const id = cookieOf(request, COOKIE);
  return id !== null && /^[A-Za-z0-9_-]{43}$/.test(id) ? id : null;
}
