import { GroveError, isGroveError } from '@grove/core';

/** What is known of a failure of an embedder. */
export interface Trouble {
  /** A clause that completes "Texts cannot be turned into vectors: ...". Never holds a key. */
  readonly reason: string;
  /** The next step of whoever can mend it. */
  readonly remedy?: string;
  /** When another attempt makes sense; left out: at the embedder's own pace. */
  readonly retryAfterMs?: number;
  /** True: nothing but the owner mends it. */
  readonly permanent?: boolean;
  /** HTTP status of a service that refused the very request. */
  readonly status?: number;
  readonly cause?: unknown;
}

/**
 * The error that every embedder throws.
 *
 * @example throw unavailable({ reason: 'the key was refused', remedy: 'Set another key.', permanent: true });
 */
export function unavailable(trouble: Trouble): GroveError {
  const { reason, remedy, retryAfterMs, permanent, status, cause } = trouble;
  return new GroveError(
    'embedder_unavailable',
    {
      reason,
      retryAfterMs: retryAfterMs ?? null,
      permanent: permanent ?? false,
      ...(status === undefined ? {} : { status }),
    },
    { ...(cause === undefined ? {} : { cause }), ...(remedy === undefined ? {} : { hint: remedy }) },
  );
}

/** What is known of any error, in a form that passes between threads and processes. */
export function troubleOf(error: unknown, reason: string): Trouble {
  if (!isGroveError(error, 'embedder_unavailable')) return { reason: `${reason} (${firstLine(error)})` };
  const { data, hint } = error;
  return {
    reason: String(data.reason),
    remedy: hint,
    permanent: data.permanent === true,
    ...(typeof data.retryAfterMs === 'number' ? { retryAfterMs: data.retryAfterMs } : {}),
  };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]!.slice(0, 200);
}
