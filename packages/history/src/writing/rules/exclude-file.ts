import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';
import { excludePath } from './path-rules.ts';

/** What `info/exclude` would hold with these lines behind what it has; see {@link addToExclude}. */
export function excludeWith(location: GitLocation, lines: readonly string[]): Buffer {
  const now = readExclude(location);
  return Buffer.concat([now, Buffer.from(addition(now, lines))]);
}

/** Adds lines to the repository's own `info/exclude`, durably. */
export async function addToExclude(
  fs: WriteFs,
  location: GitLocation,
  lines: readonly string[],
): Promise<void> {
  const path = excludePath(location);
  const text = addition(readExclude(location), lines);
  try {
    await fs.mkdir(dirname(path));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const file = await fs.append(path, 0o644);
  try {
    await file.write(Buffer.from(text));
    await file.sync();
  } finally {
    await file.close();
  }
  await fs.sync(dirname(path));
}

/** The pattern that stands for exactly this path, whatever is in its name. */
export function exactPattern(path: string, isFolder: boolean): string {
  const escaped = path.replaceAll(/[\\*?[]| $/g, '\\$&');
  return `/${escaped}${isFolder ? '/' : ''}`;
}

function addition(now: Buffer, lines: readonly string[]): string {
  const start = now.length === 0 || now.at(-1) === 0x0a ? '' : '\n';
  return `${start}${lines.join('\n')}\n`;
}

function readExclude(location: GitLocation): Buffer {
  try {
    return readFileSync(excludePath(location));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
