import { CATALOGUE, errorCode, isGroveError, SQLITE, sqliteCode } from '@grove/core';
import { CommanderError } from 'commander';
import { asTyped } from './terminal/as-typed.ts';
import { inOwnWords } from './terminal/own-command.ts';
import { paint, withoutControls } from './terminal/print.ts';

interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WriteStream;
}

/** What to do about input that can only be mended where it was typed. */
const TYPE_AGAIN = 'Correct it and run the command again.';

/** What SQLite says of a file that may not be opened or written. */
const DATABASE_REFUSED: readonly number[] = [SQLITE.PERM, SQLITE.READONLY, SQLITE.CANTOPEN];

/** The exit code of a command line that cannot be understood. */
export const MISUNDERSTOOD = 2;

/**
 * 0 when help or the version was asked for, 2 for a command line that cannot be understood, 1 for everything that
 * went wrong while it ran.
 */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return 1;
  // A verb of ours ended with its own verdict.
  if (error.code.startsWith('grove.')) return error.exitCode;
  return error.exitCode === 0 ? 0 : MISUNDERSTOOD;
}

/** True where the answer is JSON, and so is what went wrong. */
export function answersJson(args: readonly string[]): boolean {
  return args.includes('--json') && !args.includes('stdio');
}

/**
 * Says what went wrong, what there is to choose from, and what to do next; the stack only at debug level.
 *
 * @param own how Grove is called at this terminal
 */
export async function printFailure(
  error: unknown,
  args: readonly string[],
  { env, stdout, stderr }: Streams,
  own: string,
): Promise<void> {
  const { code, message, hint: said } = describeFailure(error);
  const hint = inOwnWords(asTyped(said), own);
  if (answersJson(args))
    stdout.write(`${JSON.stringify({ error: { ...(await factsOf(error)), code, message, next: hint } })}\n`);
  else {
    const choices = (await choicesOf(error)).map((choice) => withoutControls(`${choice}\n`));
    stderr.write(
      `${paint('red', withoutControls(message), stderr)}\n${choices.join('')}${withoutControls(hint)}\n`,
    );
  }
  const level = env.GROVE_LOG_LEVEL;
  if ((level === 'debug' || level === 'trace') && error instanceof Error) stderr.write(`${error.stack}\n`);
}

/** What callers may see of an error beside its words, such as the notes that a name fits. */
async function factsOf(error: unknown): Promise<Readonly<Record<string, unknown>>> {
  // What the owner of the vault answered carries them.
  if (error instanceof Error && 'payload' in error) return error.payload as Readonly<Record<string, unknown>>;
  if (!isGroveError(error)) return {};
  const { toErrorPayload } = await import('@grove/service');
  return toErrorPayload(error);
}

/** The lines between the message and the next step. */
async function choicesOf(error: unknown): Promise<readonly string[]> {
  const { candidates, nearest, lines, diff } = await factsOf(error);
  const some = [candidates, nearest, lines].some((list) => Array.isArray(list) && list.length > 0);
  if (!some && diff === undefined) return [];
  const { presentError } = await import('@grove/service');
  return presentError({ code: '', message: '', next: '', candidates, nearest, lines, diff })
    .split('\n')
    .slice(1, -1);
}

/** The code, the message and the next step of an error, whatever it is. */
export function describeFailure(error: unknown): { code: string; message: string; hint: string } {
  if (isGroveError(error)) {
    const { code, message, hint } = error;
    return { code, message, hint: atTerminal(hint) };
  }
  // What the owner of the vault answered: it carries the same words.
  if (error instanceof Error && 'hint' in error && 'code' in error)
    return { code: String(error.code), message: error.message, hint: atTerminal(String(error.hint)) };
  const code = errorCode(error);
  if (code === 'native_missing') return { code, ...CATALOGUE.native_missing };
  const refused = refusedBySystem(error);
  if (refused !== null) return { code: 'internal', ...refused };
  const cause = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `${CATALOGUE.internal.message} (${cause})`,
    hint: 'Run it again with GROVE_LOG_LEVEL=debug for the cause, or run grove doctor.',
  };
}

function atTerminal(hint: string): string {
  return hint === CATALOGUE.bad_input.hint ? TYPE_AGAIN : hint;
}

/** What the system refused to do with a file of Grove's own; null for every other error. */
function refusedBySystem(error: unknown): { message: string; hint: string } | null {
  const code = errorCode(error);
  const path = error instanceof Error && 'path' in error ? String(error.path) : null;
  const database = sqliteCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || database === SQLITE.FULL)
    return {
      message: 'The disk is full.',
      hint: 'Make room, then run it again: nothing of the notes is lost.',
    };
  if (database === SQLITE.IOERR || code === 'EIO')
    return {
      message: 'The disk answers with an error.',
      hint: 'Look whether the disk of the data folder is full or failing, then run it again.',
    };
  if (database !== undefined && DATABASE_REFUSED.includes(database))
    return {
      message: 'Grove may not use a file of its data folder.',
      hint: 'Give yourself the right to it, or name another data folder with --data DIR or GROVE_DATA.',
    };
  if (path === null || !['EACCES', 'EPERM', 'EROFS'].includes(code ?? '')) return null;
  return {
    message: `Grove may not use ${path} (${code}).`,
    hint: 'Give yourself the right to it, or name another data folder with --data DIR or GROVE_DATA.',
  };
}
