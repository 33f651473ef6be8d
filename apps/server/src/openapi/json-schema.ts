import { z } from 'zod';
import type { Json } from './route-description.ts';

/** Whole numbers that zod bounds only because JavaScript does. */
const UNBOUNDED = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);

/**
 * The JSON Schema of a zod type, as OpenAPI 3.1 takes it.
 *
 * @example jsonSchemaOf(z.int().min(1)) // { type: 'integer', minimum: 1 }
 */
export function jsonSchemaOf(type: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (UNBOUNDED.has(jsonSchema.minimum ?? 0)) delete jsonSchema.minimum;
      if (UNBOUNDED.has(jsonSchema.maximum ?? 0)) delete jsonSchema.maximum;
      // The format says it, and the pattern would say it again in 300 characters.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return schema;
}
