import { type GroveError, isGroveError } from '@grove/core';
import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger,
  pino,
  stdSerializers,
} from 'pino';
import { currentRequestId } from './current-request.ts';
import { readableLine } from './readable-line.ts';

/** The log of a process; never given note text. */
export type Log = Logger;

/** How lines are written: for programs, or for people. */
export type LogFormat = 'json' | 'pretty';

/** Where lines go. */
type LogStream = DestinationStream & { readonly isTTY?: boolean | undefined };

/** Secrets of Grove's own making, wherever in a line they stand: in an address, in the words of an error. */
const OWN_SECRETS = /(grove|invite|client|setup)_[A-Za-z0-9_-]{43}/g;
/** What stands in an Authorization header (RFC 9110 section 11.4). */
const CREDENTIALS = /\b(Bearer|Basic) [A-Za-z0-9._~+/-]{8,}=*/gi;
/** What an address of OAuth carries, or one that leads to a page with a secret. */
const IN_ADDRESS =
  /([?&#](?:code|state|token|access_token|refresh_token|id_token|id_token_hint|code_verifier|client_secret|client_assertion|secret|passphrase|password)=)[^&#\s"'\\<>]+/gi;
/** A user and a password in an address, as a git remote may have them. */
const USER_IN_ADDRESS = /(:\/\/)[^/?#@\s"'\\<>]+@/g;
const INVITE = /(\/invite\/)[^/?#\s"'\\<>]+/gi;

/** Fields of objects that hold a secret. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  '"set-cookie"',
  'passphrase',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'code_verifier',
  'client_secret',
  'client_assertion',
];
/** In the object that is logged, and in those inside it. */
const REDACTED = SECRET_FIELDS.flatMap((name) => {
  const inside = name.startsWith('"') ? `[${name}]` : `.${name}`;
  return [name.startsWith('"') ? inside : name, `*${inside}`, `*.*${inside}`];
});

/**
 * A log that writes to stderr, because stdout belongs to the protocol: JSON lines, or lines for people, which a terminal
 * gets unless told. A line that is part of a request names its id (`reqId`). No line holds a key, a token, a code, a
 * passphrase, a cookie, an Authorization header or the address of a request, which may name a note.
 *
 * @example createLog('warn').warn({ vault: 'garden' }, 'the folder vanished')
 */
export function createLog(
  level: LevelWithSilent,
  to: LogStream = destination({ fd: 2, sync: true }),
  format: LogFormat = to.isTTY === true ? 'pretty' : 'json',
): Log {
  const whole = level === 'debug' || level === 'trace';
  const err = (error: unknown): unknown =>
    isGroveError(error) && !whole ? brief(error) : stdSerializers.err(error as Error);
  const req = ({ method }: { readonly method?: string }): object => ({ method });
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err, req },
      mixin: () => {
        const reqId = currentRequestId();
        return reqId === null ? {} : { reqId };
      },
      redact: { paths: REDACTED, censor: '[hidden]' },
      hooks: { streamWrite: withoutSecrets },
    },
    format === 'json' ? to : { write: (line: string) => void to.write(readableLine(line)) },
  );
}

/**
 * A text without what looks like a secret.
 *
 * @example withoutSecrets('GET /owner/setup?token=setup_x') // 'GET /owner/setup?token=[hidden]'
 */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(OWN_SECRETS, '$1_[hidden]')
    .replaceAll(CREDENTIALS, '$1 [hidden]')
    .replaceAll(IN_ADDRESS, '$1[hidden]')
    .replaceAll(USER_IN_ADDRESS, '$1[hidden]@')
    .replaceAll(INVITE, '$1[hidden]');
}

/** An error of the catalogue needs no stack: its code, its words and its next step tell all. */
function brief({ code, message, hint }: GroveError): object {
  return { code, message, hint };
}
