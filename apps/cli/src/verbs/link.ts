import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { errorCode, GroveError } from '@grove/core';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { printJson } from '../terminal/print.ts';

/** `grove link` */
export function linkVerb(command: Command, run: Run): void {
  command
    .description('Put the grove command on the PATH')
    .option('--dir <folder>', 'where the link goes', join(homedir(), '.local', 'bin'))
    .action((options: { readonly dir: string; readonly json?: boolean }) => {
      const folder = resolve(run.from, options.dir);
      const linked = linkCommand(run.command, folder);
      const onPath = isOnPath(folder, run.path);
      if (options.json === true) {
        printJson(run, { path: linked.path, created: linked.created, on_path: onPath });
        return;
      }
      run.stdout.write(linked.created ? `Linked ${linked.path}\n` : `${linked.path} is there already.\n`);
      if (!onPath)
        run.stdout.write(
          `${folder} is not on the PATH. Add this to your shell's profile:\n  export PATH="${folder}:$PATH"\n`,
        );
    });
}

/**
 * Puts a link to the command into the folder: a symbolic link, on Windows a `.cmd` file that calls it. What stands
 * there already and is something else is left alone. Throws `bad_input` then.
 */
export function linkCommand(
  command: string,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): { readonly path: string; readonly created: boolean } {
  const windows = platform === 'win32';
  const path = join(folder, windows ? 'grove.cmd' : 'grove');
  const script = `@"${command}" %*\r\n`;
  const present = windows ? contentOf(path) : targetOf(path);
  if (present !== null) {
    if (present === (windows ? script : command)) return { path, created: false };
    throw new GroveError(
      'bad_input',
      { reason: `${path} is something else` },
      { hint: 'Remove it, or name another folder with --dir.' },
    );
  }
  mkdirSync(dirname(path), { recursive: true });
  if (windows) writeFileSync(path, script, { flag: 'wx' });
  else symlinkSync(command, path);
  return { path, created: true };
}

/** Where the link points; the path itself for anything that is no link; null when nothing is there. */
function targetOf(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function isOnPath(folder: string, path: string): boolean {
  return path.split(delimiter).some((entry) => entry !== '' && resolve(entry) === folder);
}
