import { isIP } from 'node:net';
import { GroveError } from '@grove/core';
import { hostOf } from './authority.ts';
import { isLoopback, type OwnNames, originOf } from './server-names.ts';

/**
 * Judges the Host and Origin headers (DNS rebinding: a name of the attacker that points to this machine). Ports play
 * no part for the server's own names. A host that is an address was not looked up and cannot be rebound, so that a
 * server that other machines reach answers to any address.
 */
export class HostCheck {
  readonly #own: OwnNames;

  constructor(own: OwnNames) {
    this.#own = own;
  }

  /**
   * The host that an authority (a Host header, or what stands before the path of an absolute target) names.
   *
   * @throws GroveError `bad_request` when it names none, `host_refused` when it is not the server's
   */
  requireOwn(authority: string): string {
    const host = hostOf(authority);
    if (host === null) throw new GroveError('bad_request', { reason: 'its Host header is no host name' });
    if (!this.#isOwn(host)) throw new GroveError('host_refused', { host });
    return host;
  }

  /**
   * Throws `origin_refused` for a page that is neither of the server's own names nor of an allowed origin.
   *
   * @param host what the request was sent to; a page of this very host is the server's own
   */
  requireOrigin(origin: string, host: string): void {
    const listed = originOf(origin);
    if (listed !== null && this.#own.origins.has(listed)) return;
    const page = /^https?:\/\/(.*)$/i.exec(origin)?.[1];
    const from = page === undefined ? null : hostOf(page);
    if (from !== null && (from === host || this.#isNamed(from))) return;
    throw new GroveError('origin_refused', { origin: isPlain(origin) ? origin : 'ORIGIN' });
  }

  #isOwn(host: string): boolean {
    return this.#isNamed(host) || (this.#own.anyAddress && isAddress(host));
  }

  #isNamed(host: string): boolean {
    const { hosts, families } = this.#own;
    if (hosts.has(host) || isLoopback(host)) return true;
    const dot = host.indexOf('.');
    return dot > 0 && !isAddress(host) && families.includes(host.slice(dot));
  }
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0;
}

/** What may stand in a command line that the answer proposes. */
function isPlain(origin: string): boolean {
  return /^[a-z0-9+.:/_~[\]-]{1,255}$/i.test(origin);
}
