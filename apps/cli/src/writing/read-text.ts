import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorCode, GroveError } from '@grove/core';
import type { Run } from '../run.ts';

/** Most bytes that are read; what Grove writes is less. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * The text of a file, or of stdin where none is named. Whoever sits at a terminal is told how to end.
 *
 * @throws GroveError `bad_input` for a file that cannot be read, for too much, and for what is not UTF-8
 */
export async function readText(run: Run, file: string | undefined): Promise<string> {
  const bytes = file === undefined || file === '-' ? await ofStdin(run) : await ofFile(run, file);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new GroveError('bad_input', { reason: 'the text is not UTF-8' }, { cause });
  }
}

async function ofFile(run: Run, file: string): Promise<Buffer> {
  try {
    return await readFile(resolve(run.from, file));
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    throw new GroveError(
      'bad_input',
      { name: '--file', reason: `${file} cannot be read (${code})` },
      { cause },
    );
  }
}

async function ofStdin({ stdin, stderr }: Run): Promise<Buffer> {
  if (stdin.isTTY) stderr.write('Type the text; Ctrl-D on a line of its own ends it.\n');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MOST_BYTES)
      throw new GroveError('bad_input', { reason: `the text has more than ${MOST_BYTES} bytes` });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
