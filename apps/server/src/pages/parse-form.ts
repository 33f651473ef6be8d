import { GroveError } from '@grove/core';
import type * as z from 'zod';

/**
 * The fields of a form that was sent.
 *
 * @throws GroveError `bad_input`, which names the field
 */
export function parseForm<Sent>(fields: z.ZodType<Sent>, body: unknown): Sent {
  const parsed = fields.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.path.join('.') ?? 'form';
  throw new GroveError('bad_input', { name, reason: `the field "${name}" cannot be read` });
}
