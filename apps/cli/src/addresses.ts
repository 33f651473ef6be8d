import { isIP } from 'node:net';
import { GroveError } from '@grove/core';
import { commaList } from './comma-list.ts';

/** Where `grove start` listens and what it answers to; host names and origins are judged where they are used. */
export interface ServerSettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where others reach the server, without a trailing slash; null when it is for this machine alone. */
  readonly publicUrl: string | null;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** As text, from variables or flags; what is absent has its default. */
export interface ServerWords {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly allowedHosts?: string | undefined;
  readonly allowedOrigins?: string | undefined;
}

/**
 * Reads what says where the server listens.
 *
 * @param name what a person knows a value by, such as `GROVE_PORT` or `--port`
 * @throws GroveError `bad_input` with that name
 * @example parseServer({ port: '9000' }, { host: '127.0.0.1', … }, (word) => `--${word}`).port // 9000
 */
export function parseServer(
  words: ServerWords,
  otherwise: ServerSettings,
  name: (word: keyof ServerWords) => string,
): ServerSettings {
  const { host, port, publicUrl, allowedHosts, allowedOrigins } = words;
  return {
    host: host === undefined ? otherwise.host : parseHost(host, name('host')),
    port: port === undefined ? otherwise.port : parsePort(port, name('port')),
    publicUrl: publicUrl === undefined ? otherwise.publicUrl : parsePublicUrl(publicUrl, name('publicUrl')),
    allowedHosts: allowedHosts === undefined ? otherwise.allowedHosts : commaList(allowedHosts),
    allowedOrigins: allowedOrigins === undefined ? otherwise.allowedOrigins : commaList(allowedOrigins),
  };
}

/** What holds where nothing is said. */
export const SERVER_DEFAULTS: ServerSettings = {
  host: '127.0.0.1',
  port: 8420,
  publicUrl: null,
  allowedHosts: [],
  allowedOrigins: [],
};

function parseHost(text: string, name: string): string {
  const host = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0 || /^[a-z\d_](?:[\w-]*[a-z\d_])?(?:\.[a-z\d_](?:[\w-]*[a-z\d_])?)*$/i.test(host))
    return host;
  throw refuse(
    `${name} is neither an IP address nor a host name of this machine; the port has a setting of its own`,
  );
}

function parsePort(text: string, name: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw refuse(`${name} is no port: a whole number up to 65535, 0 for any free one`);
}

/** The paths below it are Grove's own, so that it is the root of an origin. */
function parsePublicUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(`${name} is no address such as https://notes.example.org`);
  if (url.username !== '' || url.password !== '') throw refuse(`${name} holds a user name or a password`);
  if (url.pathname !== '/' || /[?#]/.test(text))
    throw refuse(`${name} has a path; Grove needs a host name of its own, such as https://notes.example.org`);
  return url.origin;
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
