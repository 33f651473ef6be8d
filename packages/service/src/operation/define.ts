import type { z } from 'zod';
import type { Operation, OperationHints, Scope } from '../contract.ts';
import { errorShape } from '../errors/payload.ts';
import { shallowSchema } from '../parameters/narrow-schema.ts';
import type { InputOf, ParameterTable } from '../parameters/parameter.ts';
import { parseInput } from '../parameters/parse.ts';

/** What a tool that only reads tells its host. */
const READ_ONLY: OperationHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** An operation as its folder describes it; {@link defineOperation} derives the rest. */
export interface OperationDescription<Table extends ParameterTable, Output> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Left out: those of a tool that only reads. */
  readonly hints?: OperationHints;
  readonly parameters: Table;
  readonly output: z.ZodObject & z.ZodType<Output>;
  /** The part of the output that the list of tools names, where all of it would take too much room. */
  readonly advertised?: z.ZodObject;
  /** Judges what no parameter can judge alone; throws `bad_input`. */
  check?(input: InputOf<Table>): void;
  run(scope: Scope, input: InputOf<Table>): Promise<Output>;
  present(output: Output): string;
}

/** Derives the schemas and the parser of an operation from its parameter table and its output. */
export function defineOperation<Table extends ParameterTable, Output>(
  described: OperationDescription<Table, Output>,
): Operation<InputOf<Table>, Output> {
  const { name, title, description, hints = READ_ONLY, parameters, output, advertised = output } = described;
  const [inputSchema, outputSchema] = [
    onFirstUse(() => advertisedInput(parameters)),
    onFirstUse(() => advertisedOutput(advertised)),
  ];
  return {
    name,
    title,
    description,
    hints,
    parameters,
    get inputSchema() {
      return inputSchema();
    },
    output,
    get outputSchema() {
      return outputSchema();
    },
    parse(raw) {
      const input = parseInput(parameters, raw);
      described.check?.(input);
      return input;
    },
    run: (scope, input) => described.run(scope, input),
    present: (answer) => described.present(answer),
  };
}

/** Gives what `make` makes, which is called once: schemas are needed by who lists tools, and take a while to make. */
export function onFirstUse<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The schema of an answer. No property is required, so that one that is an error fits too. */
export function advertisedOutput(output: z.ZodObject): Readonly<Record<string, unknown>> {
  const { type, properties } = shallowSchema(output);
  return { type, properties: { ...(properties as object), error: shallowSchema(errorShape) } };
}

/** The schema of an input: what a model has to hear of the parameters. */
export function advertisedInput(table: ParameterTable): Readonly<Record<string, unknown>> {
  const names = Object.keys(table).filter((name) => table[name]?.isAdvertised);
  const required = names.filter((name) => table[name]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, table[name]?.advertised])),
    ...(required.length === 0 ? {} : { required }),
  };
}
