import { type AnyOperation, type InputOf, type ParameterTable, parseInput, type Scope } from '@grove/service';
import { z } from 'zod';

/** A tool of a profile: made of operations, and offered like one. */
export interface ProfileTool<Table extends ParameterTable, Output extends object> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Table;
  /** Narrow JSON Schemas of what it answers, by name. */
  readonly output: Readonly<Record<keyof Output & string, Readonly<Record<string, unknown>>>>;
  run(scope: Scope, input: InputOf<Table>): Promise<Output>;
}

const ERROR = {
  type: 'object',
  properties: { code: { type: 'string' }, message: { type: 'string' }, next: { type: 'string' } },
  required: ['code', 'message', 'next'],
};

/**
 * A read-only tool whose text block is its structured answer as JSON, which is what the hosts read that a profile is
 * for. An error is told as by every operation.
 */
export function profileTool<Table extends ParameterTable, Output extends object>(
  tool: ProfileTool<Table, Output>,
): AnyOperation {
  const { name, title, description, parameters, output, run } = tool;
  const names = Object.keys(parameters);
  return {
    name,
    title,
    description,
    parameters,
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(names.map((each) => [each, parameters[each]?.advertised])),
      required: names.filter((each) => parameters[each]?.required),
    },
    output: z.looseObject({}),
    // Nothing is required, so that an answer that is an error fits too.
    outputSchema: { type: 'object', properties: { ...output, error: ERROR } },
    parse: (raw: unknown) => parseInput(parameters, raw),
    run,
    present: (answer: Output) => JSON.stringify(answer),
  };
}
