import { GroveError } from '@grove/core';
import { parseHost, parsePublicUrl } from '@grove/server/addresses';
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
    host: host === undefined ? otherwise.host : listenHost(host, name('host')),
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

/** An address to listen on, as the system takes it: IPv6 without brackets. */
function listenHost(text: string, name: string): string {
  const host = text.trim().replace(/^\[(.*)\]$/, '$1');
  parseHost(host, name);
  return host;
}

function parsePort(text: string, name: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw refuse(`${name} is no port: a whole number up to 65535, 0 for any free one`);
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
