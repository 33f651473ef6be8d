import { isGroveError } from '@grove/core';
import type { Trouble } from '../unavailable.ts';

/** Statuses by which services refuse texts that are too long or too many, among other things. */
const OF_THE_TEXTS = new Set([400, 413, 422]);

/** True for an error that fewer or shorter texts may not meet. */
export function isOfTheTexts(error: unknown): boolean {
  return isGroveError(error, 'embedder_unavailable') && OF_THE_TEXTS.has(error.data.status as number);
}

/** Longer than this nobody is made to wait by a header. */
const LONGEST_WAIT_MS = 60 * 60 * 1000;

/** What is known of an answer that is not the wanted one. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  /** Beginning of the body. */
  readonly body: string;
}

/**
 * What an answer other than 200 means, by its status and the code that it names. What a server says in words is left
 * out: it may quote the key or the text.
 *
 * @example troubleOfStatus('api.voyageai.com', 'voyage-4-large', { status: 401, headers, body: '' }).permanent // true
 */
export function troubleOfStatus(host: string, model: string, refusal: Refusal): Trouble {
  const { status, headers } = refusal;
  const named = namedCode(refusal.body);
  const said = `HTTP ${status}${named === null ? '' : `, ${named}`}`;
  const wait = retryAfterMs(headers.get('retry-after'));
  if (status >= 300 && status < 400)
    return lasting(
      `${host} answers with a redirect, which is not followed (${said})`,
      'Give the embedder the address where it is.',
    );
  if (status === 401 || status === 403)
    return lasting(`${host} refuses the key (${said})`, 'Give the embedder a key that is valid for it.');
  if (status === 402 || (status === 429 && /quota|billing|payment/i.test(named ?? '')))
    return lasting(
      `the account at ${host} has nothing left (${said})`,
      'Look at the plan and the credit there.',
    );
  if (status === 404 || status === 405)
    return lasting(
      `${host} has no model "${model}" at this address (${said})`,
      'Check the address and the name of the model; a local server may have to fetch the model first.',
    );
  if (status === 429) return passing(`${host} takes no more texts for now (${said})`, wait);
  if (status === 408 || status >= 500) return passing(`${host} does not work for now (${said})`, wait);
  return {
    ...lasting(
      `${host} refuses the request (${said})`,
      'Check the name of the model and its dimensions; the log of that server may say more.',
    ),
    status,
  };
}

/**
 * Milliseconds that a `Retry-After` asks for, given in seconds or as a date; null for none or nonsense, at most an hour.
 *
 * @example retryAfterMs('2') // 2000
 */
export function retryAfterMs(value: string | null): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, Math.ceil(seconds)), LONGEST_WAIT_MS);
}

const lasting = (reason: string, remedy: string): Trouble => ({ reason, remedy, permanent: true });

const passing = (reason: string, wait: number | null): Trouble => ({
  reason,
  remedy: 'Nothing has to be done: it is tried again.',
  ...(wait === null ? {} : { retryAfterMs: wait }),
});

/** The code of an error as these servers name it, when it is one word. */
function namedCode(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; type?: unknown } };
    const code = error?.code ?? error?.type;
    return typeof code === 'string' && /^[a-z_]{1,60}$/i.test(code) ? code : null;
  } catch {
    return null;
  }
}
