import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Trouble } from '../../unavailable.ts';
import type { ModelOptions } from '../model/load-model.ts';
import { likenessToKnown } from './known-text.ts';

/** What the child prints. */
export type ProbeAnswer = { readonly vector: readonly number[] } | { readonly trouble: Trouble };

/** What came of a probe; only what another probe would find again is worth remembering. */
export type ProbeResult =
  | { readonly works: true }
  | { readonly works: false; readonly trouble: Trouble; readonly lasting: boolean };

/** How the model is tried. */
export interface ProbeOptions {
  /** The program that the child runs; one that behaves worse, in tests. */
  readonly script?: string;
  readonly limitMs?: number;
}

const REMEDY = 'Configure a remote embedder, or run Grove on another machine.';
const OUTPUT_LIMIT = 1 << 16;

/**
 * Loads the model in a child process and embeds one text whose vector is known: a processor or a C library that it
 * does not run on ends that process, not this one. Never throws.
 *
 * @param signal ends the child; the answer is then that nothing could be found out
 * @example const result = await probeModel({ folder: MODEL_FOLDER, runtime: 'onnxruntime-node', threads: 1 }, signal);
 */
export async function probeModel(
  model: ModelOptions,
  signal: AbortSignal,
  { script, limitMs = 60_000 }: ProbeOptions = {},
): Promise<ProbeResult> {
  const program = script ?? fileURLToPath(new URL('./probe-child.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(model)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Where a crash may leave its core file.
    cwd: tmpdir(),
    windowsHide: true,
    signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (output.length < OUTPUT_LIMIT) output += part;
  });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, limitMs);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (late) return slow(limitMs);
    if (code !== 0)
      return failed(`the local model cannot run on this machine (${signal ?? `exit code ${code}`})`, true);
    return judge(parse(output));
  } catch {
    return failed('a process to try the local model cannot be started', false);
  } finally {
    clearTimeout(limit);
  }
}

function judge(answer: ProbeAnswer | null): ProbeResult {
  if (answer === null) return failed('the local model cannot run on this machine (it gave no answer)', true);
  if ('trouble' in answer) return { works: false, trouble: answer.trouble, lasting: false };
  if (likenessToKnown(answer.vector) > 0.99) return { works: true };
  return failed('the local model computes wrong vectors on this machine', true);
}

function parse(output: string): ProbeAnswer | null {
  try {
    return JSON.parse(output) as ProbeAnswer;
  } catch {
    return null;
  }
}

/** Not to be tried again too soon: it kept a processor busy. */
function slow(limitMs: number): ProbeResult {
  const reason = `the local model did not answer within ${limitMs / 1000} seconds`;
  return {
    works: false,
    lasting: false,
    trouble: { reason, remedy: REMEDY, permanent: false, retryAfterMs: 10 * limitMs },
  };
}

function failed(reason: string, lasting: boolean): ProbeResult {
  return { works: false, lasting, trouble: { reason, remedy: REMEDY, permanent: lasting } };
}
