import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../program.ts';
import type { Run } from '../run.ts';
import { settingsOf } from '../settings/settings.ts';
import { MAIN, NO_HOME } from './processes.ts';

/** A command that runs in this process, at a terminal that a test types into. */
export interface TerminalRun {
  /** Resolves with the end of the command. */
  readonly done: Promise<void>;
  /** Types a line when what was shown so far ends with a question that holds the words. */
  answer(question: string, line: string): Promise<void>;
  /** Ends the input, as Ctrl-D does. */
  hangUp(): void;
  /** All that was shown, on both streams. */
  shown(): string;
}

/** Runs `grove` with these arguments as if at a terminal. */
export function runAtTerminal(args: readonly string[]): TerminalRun {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const screen = new PassThrough();
  let shown = '';
  let changed = Promise.withResolvers<void>();
  screen.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8');
    changed.resolve();
    changed = Promise.withResolvers();
  });
  const from = fileURLToPath(new URL('.', import.meta.url));
  const run = {
    settings: settingsOf({ environment: { HOME: NO_HOME, GROVE_EMBEDDER: 'off' }, from }, null),
    from,
    command: MAIN,
    main: MAIN,
    environment: {},
    version: '0.0.0',
    path: '',
    stdin,
    stdout: screen,
    stderr: screen,
    stop: new AbortController().signal,
  } as unknown as Run;
  const done = buildProgram(run, args).then(async (program) => {
    await program.parseAsync([...args], { from: 'user' });
  });
  // Whoever awaits it hears of a failure.
  done.catch(() => {});
  let answered = 0;
  return {
    done,
    answer: async (question, line) => {
      while (!shown.slice(answered).includes(question)) await Promise.race([changed.promise, done]);
      answered = shown.length;
      stdin.write(`${line}\n`);
    },
    hangUp: () => stdin.end(),
    shown: () => shown,
  };
}
