import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@grove/core';
import type { GitLocation } from '@grove/history';
import { TRASH } from './batches.ts';

/** Tells git to leave the trash alone, in `info/exclude`: no file of the vault says so. Again: nothing. */
export async function excludeTrash({ commonDir, prefix }: GitLocation): Promise<void> {
  const file = join(commonDir, 'info', 'exclude');
  const pattern = `/${prefix === '' ? '' : `${prefix.replaceAll(/[\\*?[\]]/g, String.raw`\$&`)}/`}${TRASH}/`;
  const text = await read(file);
  if (text.split(/\r?\n/).includes(pattern)) return;
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${pattern}\n`);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
