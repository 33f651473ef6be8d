import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Run } from '../run.ts';

/**
 * Asks for a line at the terminal that is not shown while it is typed. Null when the input ended, or the process was
 * asked to stop.
 */
export async function askSecret(
  { stdin, stderr, stop }: Pick<Run, 'stdin' | 'stderr' | 'stop'>,
  question: string,
): Promise<string | null> {
  stderr.write(question);
  // readline shows what is typed on its output, and a terminal does not show it besides.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: true, historySize: 0 });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    return await lines.question('', { signal: AbortSignal.any([stop, ended.signal]) });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
