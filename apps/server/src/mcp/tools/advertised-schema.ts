import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/**
 * A JSON Schema as the SDK takes it, which advertises and lets every value through: the operation parses its input
 * itself, so that an error teaches, and makes its output itself.
 */
export function advertisedSchema(schema: () => Readonly<Record<string, unknown>>): StandardSchemaWithJSON {
  return {
    '~standard': {
      version: 1,
      vendor: 'grove',
      jsonSchema: { input: () => ({ ...schema() }), output: () => ({ ...schema() }) },
      validate: (value) => ({ value }),
    },
  };
}
