import { basename, delimiter, isAbsolute, join, relative, sep } from 'node:path';
import { shellWord } from '@grove/server/shell';
import { realPath } from '../real-path.ts';
import type { Run } from '../run.ts';
import { VERB_NAMES } from '../verb-names.ts';

/**
 * What a person types at this terminal to run Grove: `grove` where the PATH leads to this one, else the path of its
 * launcher, relative below the current folder.
 *
 * @example ownCommand({ command: '/src/grove/bin/grove', from: '/src/grove', path: '/usr/bin' }) // 'bin/grove'
 */
export function ownCommand({ command, from, path }: Pick<Run, 'command' | 'from' | 'path'>): string {
  const name = basename(command);
  const first = path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => realPath(join(folder, name)))
    .find((found) => found !== null);
  if (first !== undefined && first === realPath(command)) return 'grove';
  const near = relative(from, command);
  if (near.startsWith('..') || isAbsolute(near)) return shellWord(command);
  return shellWord(near.includes(sep) ? near : `.${sep}${near}`);
}

/** `grove` where it begins a command, and not in a path or a sentence about it. */
const COMMANDS = new RegExp(`(?<![\\w/.-])grove (?=(?:${VERB_NAMES.join('|')})\\b)`, 'g');

/**
 * A text with the commands in it as they can be pasted here.
 *
 * @example inOwnWords('Make one: grove keys create NAME', 'bin/grove') // 'Make one: bin/grove keys create NAME'
 */
export function inOwnWords(text: string, command: string): string {
  return text.replaceAll(COMMANDS, () => `${command} `);
}
