import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';

/** Keywords of JSON Schema 2020-12 that a list of tools must not drop (SEP-1613, SEP-2106). */
const RICH_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** The value also travels in the header `Mcp-Param-Region` (SEP-2243). */
const HEADER_SCHEMA = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  required: ['region'],
};

/** Tools that matter by their schemas. */
export function registerSchemaTools(server: McpServer): void {
  const repeat = (input: unknown): CallToolResult => ({
    content: [{ type: 'text', text: JSON.stringify(input) }],
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: fromJsonSchema(RICH_SCHEMA),
    },
    repeat,
  );
  server.registerTool(
    'test_header_parameter',
    {
      description: 'Has an argument that a header repeats',
      inputSchema: fromJsonSchema(HEADER_SCHEMA),
    },
    repeat,
  );
}
