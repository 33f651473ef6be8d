import { errorCode } from '@grove/core';

/** How long an answer is waited for. */
export const ANSWER_MS = 10_000;

/** An answer over HTTP, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body where it is JSON, else null. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/**
 * Sends a GET request; a redirect is an answer.
 *
 * @throws the system's error when nothing answers in 10 seconds
 */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(url, {
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return { status: response.status, headers: response.headers, body: parse(await response.text()) };
}

/** The header that a key goes in. */
export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** What an answer is, for a sentence: its status, and Grove's code where it has one. */
export function said({ status, body }: Answer): string {
  return typeof body?.code === 'string' ? `${status} (${body.code})` : String(status);
}

/** The next step that the answer itself names. */
export function hintOf({ body }: Answer): string | null {
  return typeof body?.hint === 'string' ? body.hint : null;
}

/** Why nothing answered, in the words of the system or of TLS. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'no answer in 10 seconds';
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
}

function parse(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Answer['body'])
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
