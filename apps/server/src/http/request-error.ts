import { type ErrorCode, GroveError, isGroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';

/**
 * What went wrong with a request, as one of Grove's errors: Fastify's own refusals of bodies and addresses become
 * those of the catalogue; everything else stays as it is.
 */
export function requestError(error: unknown, request: FastifyRequest, maxBodyBytes: number): unknown {
  if (isGroveError(error) || !isFastifyError(error)) return error;
  const code = REFUSALS[error.code];
  if (code === undefined)
    return error.statusCode !== undefined && error.statusCode < 500
      ? new GroveError('bad_request', { reason: error.message })
      : error;
  return new GroveError(code, {
    reason: REASONS[error.code] ?? 'it is not valid',
    limit: maxBodyBytes,
    type: request.headers['content-type'] ?? 'none',
    offered: 'application/json',
  });
}

const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_refused',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_body',
  FST_ERR_BAD_URL: 'bad_url',
  FST_ERR_MAX_PARAM_LENGTH: 'url_too_long',
};

const REASONS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'it is empty',
  FST_ERR_CTP_INVALID_JSON_BODY: 'it is not JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'its length is not the one announced',
  FST_ERR_BAD_URL: 'its percent-encoding is not valid',
};

function isFastifyError(
  error: unknown,
): error is { readonly code: string; readonly statusCode?: number; readonly message: string } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('FST_')
  );
}
