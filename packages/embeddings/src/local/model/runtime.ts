import { errorCode } from '@grove/core';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { unavailable } from '../../unavailable.ts';

/** What runs the graph of a model. Another one, such as onnxruntime-web, is added to {@link RUNTIMES}. */
export interface OnnxRuntime {
  readonly name: RuntimeName;
  /** Opens a model; its runs hold the process. */
  open(model: Uint8Array, threads: number): Promise<OnnxModel>;
}

/** An open model: token numbers of one text in, its vector out. */
export interface OnnxModel {
  run(tokens: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Names of what can run the model. */
export type RuntimeName = keyof typeof RUNTIMES;

const RUNTIMES = { 'onnxruntime-node': openNodeRuntime } as const;

/**
 * Loads a runtime, which nothing does before it is needed.
 *
 * @throws `embedder_unavailable` (permanent) when there is no build of it for this machine
 */
export function loadRuntime(name: RuntimeName): Promise<OnnxRuntime> {
  return RUNTIMES[name]();
}

async function openNodeRuntime(): Promise<OnnxRuntime> {
  // Else it sends a report of each start to its makers, under a number that it keeps in the user's folder:
  // https://github.com/microsoft/onnxruntime/pull/27379. Read when the library is loaded.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const ort = await import('onnxruntime-node').catch((error: unknown) => {
    throw notForThisMachine(error);
  });
  // Notes about the processor would land on stderr.
  ort.env.logLevel = 'error';
  return {
    name: 'onnxruntime-node',
    async open(model, threads) {
      const session = await ort.InferenceSession.create(model, {
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        graphOptimizationLevel: 'all',
        logSeverityLevel: 3,
        // Threads that spin for their next work would take the processor from everybody else.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      });
      return { run: (tokens) => runOnce(session, ort.Tensor, tokens), close: () => session.release() };
    },
  };
}

async function runOnce(
  session: InferenceSession,
  TensorOf: typeof Tensor,
  tokens: readonly number[],
): Promise<Float32Array> {
  const shape = [1, tokens.length];
  const { embedding } = await session.run({
    input_ids: new TensorOf('int64', BigInt64Array.from(tokens, BigInt), shape),
    attention_mask: new TensorOf('int64', new BigInt64Array(tokens.length).fill(1n), shape),
  });
  // A copy: the buffer is the library's own.
  return Float32Array.from(embedding?.data as Float32Array);
}

function notForThisMachine(error: unknown) {
  const platform = `${process.platform}-${process.arch}`;
  const missing = errorCode(error) === 'MODULE_NOT_FOUND' || errorCode(error) === 'ERR_MODULE_NOT_FOUND';
  return unavailable({
    reason: missing
      ? `onnxruntime-node has no build for ${platform}`
      : `onnxruntime-node cannot be loaded on ${platform}`,
    remedy:
      'Configure a remote embedder, or run Grove on Linux with glibc, Windows or a Mac with Apple silicon.',
    permanent: true,
    cause: error,
  });
}
