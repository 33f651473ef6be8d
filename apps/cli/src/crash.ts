/** What a crash needs of the process. */
export interface CrashScene {
  /** Asks what serves to end in order; null for a command that serves nothing. */
  readonly stop: AbortController | null;
  readonly stderr: NodeJS.WritableStream;
  /** Ends the process now. */
  exit(code: number): void;
}

/** How long a server is given to end in order after an error that nobody caught: longer than requests are given. */
const LAST_MS = 20_000;

/**
 * Hears of errors that nobody caught, which are Grove's own fault: each is told of, and what serves ends in order, as
 * nobody knows in what state it is; at the next one, or when it takes too long, at once.
 *
 * @returns what `uncaughtException` of the process is to call; it hears of promises that failed unheard, too
 * @example process.on('uncaughtException', onCrash(scene));
 */
export function onCrash({ stop, stderr, exit }: CrashScene): (error: unknown) => void {
  let crashed = false;
  return (error) => {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(
      `Grove met an error that it did not expect, and ends. Start it again; if it comes back, report it with these lines.\n${cause}\n`,
    );
    if (crashed || stop === null) {
      exit(1);
      return;
    }
    crashed = true;
    process.exitCode = 1;
    stop.abort();
    setTimeout(() => exit(1), LAST_MS).unref();
  };
}
