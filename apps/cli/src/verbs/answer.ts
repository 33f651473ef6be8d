import type { Operation } from '@grove/service';
import { callVault } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printJson, printMarkdown } from '../terminal/print.ts';

/** Runs an operation and prints its answer. */
export async function answer<Input, Output>(
  run: Run,
  options: CommonOptions,
  operation: Operation<Input, Output>,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  printAnswer(run, options, operation, await callVault(run, options, operation, input));
}

/** Prints what an operation answered: the whole as JSON with `--json`, else as text. */
export function printAnswer<Input, Output>(
  run: Run,
  options: CommonOptions,
  operation: Operation<Input, Output>,
  output: Output,
): void {
  if (options.json === true) printJson(run, output);
  else printMarkdown(run, operation.present(output));
}
