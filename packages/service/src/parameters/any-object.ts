import { z } from 'zod';

/** An object whose keys may have any name. It is passed on as it is: the copy of `z.record` has no key `__proto__`. */
export const anyObject = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  )
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} });
