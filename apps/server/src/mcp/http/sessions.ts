import type { Clock } from '@grove/core';
import type { HttpLimits } from '../../http/options.ts';
import type { McpSession, SessionOwner } from './session.ts';

interface SessionsOptions {
  readonly clock: Clock;
  readonly limits: Pick<HttpLimits, 'maxSessions' | 'maxSessionsPerKey' | 'sessionIdleMs'>;
}

/** How many ended sessions are remembered. */
const MOST_ENDED = 4_096;
const LONGEST_SWEEP_MS = 60_000;

/** The sessions of all keys, within their caps. */
export class Sessions {
  readonly #clock: Clock;
  readonly #limits: SessionsOptions['limits'];
  readonly #live = new Map<string, McpSession>();
  /** Ids of sessions that ended here, with the key that they were of; the oldest is forgotten first. */
  readonly #ended = new Map<string, string>();
  readonly #sweep: NodeJS.Timeout;

  constructor({ clock, limits }: SessionsOptions) {
    this.#clock = clock;
    this.#limits = limits;
    const every = Math.max(1, Math.min(limits.sessionIdleMs, LONGEST_SWEEP_MS));
    this.#sweep = setInterval(() => this.#endIdle(), every).unref();
  }

  get count(): number {
    return this.#live.size;
  }

  /**
   * The session with this id if it is the caller's, `ended` if it was and is no more. Null for an id that is not
   * known: somebody else's, or of a process before this one.
   */
  find(id: string, owner: SessionOwner): McpSession | 'ended' | null {
    const session = this.#live.get(id);
    if (session === undefined) return this.#ended.get(id) === owner.keyId ? 'ended' : null;
    if (session.owner.keyId !== owner.keyId) return null;
    // The key was rotated, and what its old token opened is about to be ended.
    if (session.owner.credential !== owner.credential) return 'ended';
    if (session.owner.site !== owner.site) return null;
    if (!this.#isIdle(session)) return session;
    this.end(session);
    return 'ended';
  }

  /** Takes a session in; the one that was idle longest makes room where a cap is reached. */
  add(session: McpSession): void {
    const { holder } = session.owner;
    const together = [...this.#live.values()].filter(({ owner }) => owner.holder === holder);
    if (together.length >= this.#limits.maxSessionsPerKey) this.#endLongestIdle(together);
    if (this.#live.size >= this.#limits.maxSessions) this.#endLongestIdle([...this.#live.values()]);
    this.#live.set(session.id, session);
  }

  /** Ends a session, or takes note that it has ended. */
  end(session: McpSession): void {
    if (!this.#live.delete(session.id)) return;
    this.#ended.set(session.id, session.owner.keyId);
    for (const id of this.#ended.keys()) {
      if (this.#ended.size <= MOST_ENDED) break;
      this.#ended.delete(id);
    }
    void session.end();
  }

  /** Ends what was opened at a site. */
  endOf(site: object): void {
    for (const session of this.#live.values()) if (session.owner.site === site) this.end(session);
  }

  /** Ends the streams that changes are told on; the sessions go on. */
  endStreams(): void {
    for (const session of this.#live.values()) session.endStream();
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const session of this.#live.values()) this.end(session);
  }

  #endIdle(): void {
    for (const session of this.#live.values()) if (this.#isIdle(session)) this.end(session);
  }

  #isIdle(session: McpSession): boolean {
    return this.#clock.now() - session.lastUse >= this.#limits.sessionIdleMs;
  }

  #endLongestIdle(sessions: readonly McpSession[]): void {
    const [first] = sessions.toSorted(
      (a, b) => Number(a.isInUse) - Number(b.isInUse) || a.lastAsked - b.lastAsked,
    );
    if (first !== undefined) this.end(first);
  }
}
