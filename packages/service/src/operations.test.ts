import { describe, expect, it } from 'vitest';
import { allOperations, operations } from './operations.ts';
import { ADVERTISED_KEYWORDS } from './parameters/narrow-schema.ts';

/** As a client gets them in tools/list. */
const tools = allOperations.map(({ name, title, description, inputSchema, outputSchema, hints }) => ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations: hints,
}));

/** Every keyword in a schema, whatever the depth. */
function keywordsOf(schema: Record<string, unknown>): string[] {
  const { properties = {}, items } = schema as {
    properties?: Record<string, Record<string, unknown>>;
    items?: Record<string, unknown>;
  };
  return [
    ...Object.keys(schema),
    ...Object.values(properties).flatMap(keywordsOf),
    ...(items === undefined ? [] : keywordsOf(items)),
  ];
}

describe('the advertised tools', () => {
  it('are six: five that read, and one that writes', () => {
    const names = ['query', 'get', 'multi_get', 'write_note', 'list_notes', 'vault_status'];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(operations.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'write_note'));
  });

  it('take less than 12 KB together', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(12 * 1024 - 200);
  });

  it.each(tools)('$name uses only keywords that every host understands', ({ inputSchema, outputSchema }) => {
    for (const schema of [inputSchema, outputSchema]) {
      const foreign = keywordsOf(schema).filter(
        (word) => !ADVERTISED_KEYWORDS.some((known) => known === word),
      );
      expect(foreign).toEqual([]);
      expect(schema.type).toBe('object');
    }
  });

  it.each(tools)(
    '$name describes each parameter in a line and gives its type as one word',
    ({ inputSchema }) => {
      const properties = inputSchema.properties as Record<string, { type: unknown; description: string }>;
      for (const [name, { type, description }] of Object.entries(properties)) {
        expect(typeof type, name).toBe('string');
        expect(description.length, name).toBeGreaterThan(5);
        expect(description.length, name).toBeLessThan(130);
        expect(name).toMatch(/^[a-z_]+$/);
      }
    },
  );

  it.each(tools)(
    '$name carries all four hints, and error in its answer',
    ({ name, annotations, outputSchema }) => {
      const reads = name !== 'write_note';
      expect(annotations).toEqual({
        readOnlyHint: reads,
        destructiveHint: !reads,
        idempotentHint: reads,
        openWorldHint: false,
      });
      expect(Object.keys(outputSchema.properties as object)).toContain('error');
      expect(outputSchema.required).toBeUndefined();
    },
  );
});
