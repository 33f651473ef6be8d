import { z } from 'zod';

/** A JSON Schema that uses only the keywords which every host understands. */
export type NarrowSchema = Readonly<Record<string, unknown>>;

/**
 * The keywords that Grove advertises. Some hosts refuse or misread anyOf, $ref, type lists and formats, so a
 * schema says no more than this and the parser says the rest.
 */
export const ADVERTISED_KEYWORDS = [
  'type',
  'properties',
  'items',
  'enum',
  'description',
  'default',
  'required',
] as const;

/**
 * The JSON Schema of a zod type, cut to {@link ADVERTISED_KEYWORDS}.
 *
 * @example narrowSchema(z.int().min(1)) // { type: 'integer' }
 */
export function narrowSchema(type: z.ZodType): NarrowSchema {
  return narrow(z.toJSONSchema(type, { unrepresentable: 'any' }));
}

function narrow(schema: unknown): NarrowSchema {
  if (!isObject(schema)) return {};
  const narrowed: Record<string, unknown> = {};
  for (const keyword of ADVERTISED_KEYWORDS) {
    const value = schema[keyword];
    if (value === undefined) continue;
    if (keyword === 'items') narrowed.items = narrow(value);
    else if (keyword === 'properties' && isObject(value)) {
      narrowed.properties = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, narrow(property)]),
      );
    } else narrowed[keyword] = value;
  }
  return narrowed;
}

/**
 * The JSON Schema of an answer's top level only: names and types. Every tool's schemas are in every list of tools, so
 * what stands inside lists and objects is left to the answer itself, which is checked against the whole zod type.
 *
 * @example shallowSchema(z.object({ hits: z.array(z.string()) }))
 * // { type: 'object', properties: { hits: { type: 'array' } } }
 */
export function shallowSchema(type: z.ZodObject): NarrowSchema {
  const { properties } = narrowSchema(type);
  const entries = Object.entries(isObject(properties) ? properties : {});
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, property]) => [name, isObject(property) ? { type: property.type } : {}]),
    ),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
