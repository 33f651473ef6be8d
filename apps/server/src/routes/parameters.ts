import { GroveError } from '@grove/core';
import type { AnyOperation } from '@grove/service';
import type { FastifyRequest } from 'fastify';
import { queryOf } from './address.ts';

/**
 * The query parameters of a request as an operation's input: one that repeats is a list.
 *
 * @param inAddress parameters that the rest of the address gives
 * @throws GroveError `bad_url`; `unknown_parameter` for a query parameter that the address gives already
 */
export function inputOf(
  request: FastifyRequest,
  operation: AnyOperation,
  inAddress: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  queryOf(request.raw.url ?? '');
  const given = request.query as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(inAddress))
    if (Object.hasOwn(given, name)) throw taken(name, operation, inAddress);
  return { ...given, ...inAddress };
}

function taken(
  name: string,
  { parameters }: AnyOperation,
  inAddress: Readonly<Record<string, unknown>>,
): GroveError {
  const allowed = Object.keys(parameters).filter((other) => !Object.hasOwn(inAddress, other));
  return new GroveError('unknown_parameter', {
    name,
    suggestion: ' It is part of the address here.',
    allowed: allowed.join(', '),
  });
}

/**
 * For a route whose address takes no query parameters.
 *
 * @throws GroveError `unknown_parameter`
 */
export function takesNoParameters(request: FastifyRequest): void {
  const [name] = Object.keys(request.query as object);
  if (name === undefined) return;
  throw new GroveError(
    'unknown_parameter',
    { name: name.slice(0, 100).toWellFormed(), suggestion: '', allowed: '' },
    { hint: 'Send none: this address takes no parameters.' },
  );
}
