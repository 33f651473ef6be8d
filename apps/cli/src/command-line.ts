import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shellWord } from '@grove/server/shell';
import { CommanderError } from 'commander';
import { answersJson, exitCodeOf, MISUNDERSTOOD, printFailure } from './failure.ts';
import { buildProgram, verbOf } from './program.ts';
import type { CommonOptions, Run } from './run.ts';
import { settingFlags } from './settings/flags.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { ownCommand } from './terminal/own-command.ts';
import { usageError } from './usage-error.ts';

/** What a command line takes of its process. */
export type Surroundings = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdin' | 'stdout' | 'stderr'>;

/**
 * Runs `grove` with these arguments, and says what went wrong.
 *
 * @param stop asks a verb that serves to end
 * @returns the exit code
 * @example process.exitCode = await runCommandLine(['list'], process, new AbortController().signal);
 */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
  stop: AbortSignal,
): Promise<number> {
  const { env, stdin, stdout, stderr } = surroundings;
  const command = fileURLToPath(
    new URL(`../../../bin/${process.platform === 'win32' ? 'grove.cmd' : 'grove'}`, import.meta.url),
  );
  const path = env.PATH ?? '';
  let own = shellWord(command);
  try {
    const from = startingFolder(surroundings);
    own = ownCommand({ command, from, path });
    let settings: Settings | null = null;
    const run: Run = {
      get settings() {
        if (settings === null) throw new Error('settings are read before the action of a verb');
        return settings;
      },
      from,
      command,
      main: fileURLToPath(new URL('main.ts', import.meta.url)),
      environment: presentVariables(env),
      version: versionOf(),
      path,
      stdin,
      stdout,
      stderr,
      stop,
    };
    const program = await buildProgram(run, args);
    program.hook('preAction', async (_program, action) => {
      const flags = settingFlags(action, verbOf(args));
      const { config } = action.optsWithGlobals<CommonOptions>();
      settings = await readSettings({ environment: env, flags, config, from });
      for (const warning of settings.warnings) stderr.write(`${warning}\n`);
    });
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const code = exitCodeOf(error);
    if (!(error instanceof CommanderError)) await printFailure(error, args, surroundings, own);
    // Where the answer is no JSON, commander has said it already.
    else if (code === MISUNDERSTOOD && answersJson(args))
      await printFailure(usageError(error, verbOf(args)), args, surroundings, own);
    return code;
  }
}

/** The package manager runs scripts in the project's folder and names the caller's in INIT_CWD. */
function startingFolder({ env, cwd }: Surroundings): string {
  const { INIT_CWD, npm_lifecycle_event, npm_package_name } = env;
  const asScript = npm_lifecycle_event === 'start' && npm_package_name === 'grove';
  return asScript && INIT_CWD !== undefined ? INIT_CWD : cwd();
}

function presentVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
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
