import type { Operation } from '@grove/service';
import { callVault } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { printJson, printMarkdown } from '../terminal/print.ts';
import { undoCommand } from '../writing/undo-command.ts';

/** Runs an operation and prints its answer. */
export async function answer<Input, Output>(
  run: Run,
  options: CommonOptions,
  operation: Operation<Input, Output>,
  input: Readonly<Record<string, unknown>>,
): Promise<void> {
  printAnswer(run, options, operation, await callVault(run, options, operation, input));
}

/** Prints what an operation answered: the whole as JSON with `--json`, else as text, with what to type to undo it. */
export function printAnswer<Input, Output>(
  run: Run,
  options: CommonOptions,
  operation: Operation<Input, Output>,
  output: Output,
): void {
  if (options.json === true) printJson(run, output);
  else printMarkdown(run, asTyped(run, options, operation, output));
}

function asTyped<Input, Output>(
  run: Run,
  { vault }: CommonOptions,
  operation: Operation<Input, Output>,
  output: Output,
): string {
  const { undo } = output as { readonly undo?: Readonly<Record<string, unknown>> };
  const typed = undo === undefined ? null : undoCommand(undo, ownCommand(run), vault);
  if (typed === null) return operation.present(output);
  return `${operation.present({ ...output, undo: undefined })}\nUndo: ${typed}`;
}
