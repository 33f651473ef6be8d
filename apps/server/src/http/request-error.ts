import { errorCode, GroveError, isGroveError } from '@grove/core';
import type { FastifyRequest } from 'fastify';

/**
 * What went wrong with a request, as one of Grove's errors: Fastify's own refusals of bodies and addresses become
 * those of the catalogue; everything else stays as it is.
 */
export function requestError(error: unknown, request: FastifyRequest, maxBodyBytes: number): unknown {
  if (isGroveError(error)) return error;
  // The client has gone, or was cut, while its body was read.
  if (errorCode(error) === 'ECONNRESET' && !request.raw.complete) return badBody('it ended early');
  if (!isFastifyError(error)) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new GroveError('media_type_refused', {
        type: request.headers['content-type'] ?? 'none',
        offered: request.routeOptions.config.bodies ?? 'application/json',
      });
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new GroveError('body_too_large', { limit: maxBodyBytes });
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badBody('it is empty');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return badBody('it is not JSON');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badBody('its length is not the one announced');
    case 'FST_ERR_BAD_URL':
      return new GroveError('bad_url', { reason: 'its percent-encoding is not valid' });
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new GroveError('url_too_long');
    default:
      return error.statusCode !== undefined && error.statusCode < 500
        ? new GroveError('bad_request', { reason: error.message })
        : error;
  }
}

function badBody(reason: string): GroveError {
  return new GroveError('bad_body', { reason });
}

function isFastifyError(
  error: unknown,
): error is { readonly code: string; readonly statusCode?: number; readonly message: string } {
  return error instanceof Error && errorCode(error)?.startsWith('FST_') === true;
}
