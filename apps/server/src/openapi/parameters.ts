import type { ParameterTable } from '@grove/service';
import { jsonSchemaOf } from './json-schema.ts';
import type { Json } from './route-description.ts';

/**
 * An operation's parameters as those of a query. Lists repeat the name; objects are JSON text.
 * Without examples: a page that fills its fields with them would send what nobody asked for.
 *
 * @param left names that the route gives otherwise
 */
export function queryParameters(table: ParameterTable, left: readonly string[] = []): Json[] {
  return Object.entries(table)
    .filter(([name]) => !left.includes(name))
    .map(([name, parameter]) => ({
      name,
      in: 'query',
      description: parameter.description,
      ...(parameter.required ? { required: true } : {}),
      ...formOfValue(parameterSchema(parameter)),
    }));
}

/** An operation's parameters as a JSON object in a body. */
export function bodySchema(table: ParameterTable): Json {
  const entries = Object.entries(table);
  const required = entries.filter(([, { required }]) => required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, parameter]) => [
        name,
        { description: parameter.description, ...parameterSchema(parameter) },
      ]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** A part of the path, named in it as `{name}`. */
export function pathParameter(name: string, description: string, schema: Json, example: string): Json {
  return { name, in: 'path', required: true, description, schema, example };
}

function parameterSchema({ strict, advertised }: ParameterTable[string]): Json {
  const { default: absent } = advertised;
  return { ...jsonSchemaOf(strict), ...(absent === undefined ? {} : { default: absent }) };
}

/** What is no text, number, flag or list of texts stands in a query as its JSON text. */
function formOfValue(schema: Json): Json {
  const { type, items } = schema;
  const isPlain = type !== 'object' && (type !== 'array' || (items as Json).type === 'string');
  if (!isPlain)
    return { schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schema } };
  return { schema, ...(type === 'array' ? { style: 'form', explode: true } : {}) };
}
