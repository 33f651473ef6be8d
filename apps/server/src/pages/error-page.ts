import { isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestError } from '../http/request-error.ts';
import { reportFault } from '../report-fault.ts';
import { html } from './html.ts';
import { sendPage } from './page.ts';

/** Answers with a page of an error; one that is Grove's own fault is logged and tells nothing of itself. */
export function sendErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  maxBodyBytes: number,
): FastifyReply {
  const fault = requestError(error, request, maxBodyBytes);
  const { code, message, next } = toErrorPayload(fault, reportFault(request.log, 'a request failed'));
  const body = html`<p>${message}</p>
<p>${next}</p>
<p class="aside"><code>${code}</code>, request <code>${request.id}</code></p>`;
  return sendPage(reply, { title: 'This did not work', body }, isGroveError(fault) ? fault.status : 500);
}
