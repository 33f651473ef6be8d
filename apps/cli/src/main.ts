import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { shellWord } from '@grove/server/shell';
import { CommanderError } from 'commander';
import { onCrash } from './crash.ts';
import { answersJson, exitCodeOf, MISUNDERSTOOD, printFailure } from './failure.ts';
import { buildProgram, verbOf } from './program.ts';
import type { Run } from './run.ts';
import { readSettings } from './settings.ts';
import { ownCommand } from './terminal/own-command.ts';
import { usageError } from './usage-error.ts';

enableCompileCache();
// A reader such as head closes its end early.
process.stdout.on('error', () => process.exit(process.exitCode ?? 0));
// A terminal that was closed takes no words, and what serves must end in order all the same.
process.stderr.on('error', () => {});
const outcome = await main(process.argv.slice(2));
// What crashed stays a failure, however well it ended.
process.exitCode ||= outcome;
await new Promise((resolve) => process.stdout.write('', resolve));
// What a closed session leaves behind (a paused stdin, an idle pool) must not keep the process.
process.exit();

async function main(args: readonly string[]): Promise<number> {
  const stop = serves(args) ? stopOnSignals() : null;
  process.on(
    'uncaughtException',
    onCrash({ stop, stderr: process.stderr, exit: (code) => process.exit(code) }),
  );
  const command = fileURLToPath(
    new URL(`../../../bin/${process.platform === 'win32' ? 'grove.cmd' : 'grove'}`, import.meta.url),
  );
  const path = process.env.PATH ?? '';
  let own = shellWord(command);
  try {
    const from = startingFolder();
    own = ownCommand({ command, from, path });
    const settings = readSettings(process.env, from);
    for (const warning of settings.warnings) process.stderr.write(`${warning}\n`);
    const run: Run = {
      settings,
      from,
      command,
      main: fileURLToPath(import.meta.url),
      environment: presentVariables(),
      version: versionOf(),
      path,
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      stop: stop?.signal ?? new AbortController().signal,
    };
    const program = await buildProgram(run, args);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const code = exitCodeOf(error);
    if (!(error instanceof CommanderError)) await printFailure(error, args, process, own);
    // Where the answer is no JSON, commander has said it already.
    else if (code === MISUNDERSTOOD && answersJson(args))
      await printFailure(usageError(error, verbOf(args)), args, process, own);
    return code;
  }
}

function serves(args: readonly string[]): boolean {
  return args.some((argument) => argument === 'start' || argument === 'stdio');
}

/** Verbs that serve end in order on the first signal and at once on the second; others end as any command does. */
function stopOnSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130);
      stop.abort();
    });
  return stop;
}

/** The package manager runs scripts in the project's folder and names the caller's in INIT_CWD. */
function startingFolder(): string {
  const { INIT_CWD, npm_lifecycle_event, npm_package_name } = process.env;
  const asScript = npm_lifecycle_event === 'start' && npm_package_name === 'grove';
  return asScript && INIT_CWD !== undefined ? INIT_CWD : process.cwd();
}

function presentVariables(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function versionOf(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
}
