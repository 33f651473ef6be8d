import { isIP } from 'node:net';
import { GroveError } from '@grove/core';
import type { ServerNames } from './options.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Judges the Host and Origin headers (DNS rebinding: a name of the attacker that points to this machine). Ports play
 * no part. An address in numbers cannot be rebound, so that a server beyond this machine answers to any of its own.
 */
export class HostCheck {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #anyAddress: boolean;

  constructor({ names, publicUrl }: { readonly names: ServerNames; readonly publicUrl: string | null }) {
    const own = isIP(names.host) === 6 ? `[${names.host}]` : names.host;
    const published = publicUrl === null ? [] : [new URL(publicUrl).hostname];
    this.#hosts = new Set(
      [...LOOPBACK, own, ...published, ...names.allowedHosts].map((host) => host.toLowerCase()),
    );
    this.#origins = new Set(names.allowedOrigins.map((origin) => origin.toLowerCase()));
    this.#anyAddress = !LOOPBACK.includes(own);
  }

  /** Throws `host_refused`. */
  host(header: string | undefined): void {
    const host = header === undefined ? null : hostnameOf(`http://${header}`);
    if (host === null || !this.#isOwn(host))
      throw new GroveError('host_refused', { host: host ?? header ?? '' });
  }

  /** Throws `origin_refused`. A request without the header comes from no web page. */
  origin(header: string | undefined): void {
    if (header === undefined || this.allowsOrigin(header)) return;
    throw new GroveError('origin_refused', { origin: header });
  }

  /** True for a page of one of the server's own names or of an allowed origin. */
  allowsOrigin(origin: string): boolean {
    if (this.#origins.has(origin.toLowerCase())) return true;
    const host = /^https?:\/\//i.test(origin) ? hostnameOf(origin) : null;
    return host !== null && this.#isOwn(host);
  }

  #isOwn(host: string): boolean {
    return this.#hosts.has(host) || (this.#anyAddress && isIP(host.replace(/^\[|\]$/g, '')) !== 0);
  }
}

function hostnameOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname, username, pathname } = new URL(url);
  return username === '' && pathname === '/' ? hostname.toLowerCase() : null;
}
