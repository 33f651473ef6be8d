import { errorCode, GroveError } from '@grove/core';
import { BrokenLine, RemoteSays, TooMuch } from './pkt-line.ts';

const MAX_SAID = 300;

/** What a server says, made fit for a sentence: one line, no control characters, bounded, no full stop. */
export function saidByRemote(text: string): string {
  return nameFromRemote(text).replace(/[.\s]+$/, '');
}

/** As {@link saidByRemote}, for a name: it may end with a full stop. */
export function nameFromRemote(text: string): string {
  const line = text
    .replaceAll(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line;
}

export function unreachable(host: string, reason: string, cause?: unknown): GroveError {
  return new GroveError('remote_unreachable', { host, reason }, cause === undefined ? {} : { cause });
}

export function answerUnusable(host: string, reason: string): GroveError {
  return new GroveError('remote_answer_unusable', { host, reason });
}

const NETWORK: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'it refuses the connection',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  HPE_INVALID_EOF_STATE: 'the connection was cut',
  ECONNABORTED: 'the connection was cut',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
};

/**
 * Runs a part of a conversation with a remote, its failures turned into errors of the catalogue. Those of the disk
 * pass as they are.
 */
export async function withRemote<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw failureOf(host, error);
  }
}

function failureOf(host: string, error: unknown): unknown {
  if (error instanceof TooMuch)
    return new GroveError('remote_history_unusable', { host, reason: error.message });
  if (error instanceof BrokenLine) return answerUnusable(host, error.message);
  if (error instanceof RemoteSays) return answerUnusable(host, `it says "${saidByRemote(error.message)}"`);
  const code = errorCode(error) ?? '';
  const known = NETWORK[code];
  if (known !== undefined) return unreachable(host, known, error);
  if (/CERT|SELF_SIGNED|^ERR_TLS_|^ERR_SSL_|UNABLE_TO_VERIFY/.test(code))
    return unreachable(host, `its certificate is not trusted (${code})`, error);
  return code.startsWith('HPE_') ? answerUnusable(host, 'it does not speak HTTP') : error;
}

/** The error that an HTTP status stands for; null for one that is fine. */
export function failureOfStatus(host: string, status: number, hasToken: boolean): GroveError | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401) {
    const reason = hasToken ? 'the token is wrong, has expired or was revoked' : 'it asks for a token';
    return new GroveError('remote_sign_in', { host, reason });
  }
  if (status === 403) {
    const reason = hasToken ? 'the token lacks the right to do this' : 'nobody may do this without a token';
    return new GroveError('remote_sign_in', { host, reason });
  }
  if (status === 404 || status === 410) return new GroveError('remote_missing', { host });
  if (status === 413) return new GroveError('remote_protected', { host, reason: 'it is too large (413)' });
  if (status === 429) return unreachable(host, 'it asks to wait (429)');
  if (status >= 500) return unreachable(host, `it answers with an error of its own (${status})`);
  return answerUnusable(host, `it answers with the status ${status}`);
}
