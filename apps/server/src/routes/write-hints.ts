import { type ErrorCode, GroveError, isGroveError } from '@grove/core';

/** Next steps in the words of HTTP, for refusals whose own words are those of write_note. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  hash_required:
    'Read it with GET and send its ETag as If-Match; If-Match: * writes over whatever is there. To add to it, POST to its /append.',
  stale_hash:
    'Read it again with GET, and send the change with its new ETag as If-Match; a weak one (W/) matches nothing.',
  would_shrink: 'Change only what differs with PATCH or /append; ?overwrite=true writes it as it is.',
  elided_content: 'Change only what differs with PATCH; ?overwrite=true writes the line as it is.',
};

/** Throws again what a write threw, with the next step that this client can take. */
export function throwWithHint(error: unknown): never {
  if (!isGroveError(error)) throw error;
  const hint = HINTS[error.code];
  throw hint === undefined ? error : new GroveError(error.code, error.data, { cause: error, hint });
}
