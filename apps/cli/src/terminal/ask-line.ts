import { createInterface } from 'node:readline/promises';
import type { Run } from '../run.ts';

/** Asks for a line at the terminal. Null when the input ended, or the process was asked to stop. */
export async function askLine(
  { stdin, stderr, stop }: Pick<Run, 'stdin' | 'stderr' | 'stop'>,
  question: string,
): Promise<string | null> {
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    return await lines.question(question, { signal: AbortSignal.any([stop, ended.signal]) });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  } finally {
    lines.close();
  }
}

/** Whether a line says yes; everything else is a no. */
export function isYes(line: string): boolean {
  return /^\s*(?:y|yes)\s*$/i.test(line);
}
