import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { errorCode } from '@grove/core';
import { unavailable } from '../../unavailable.ts';

/** What runs the graph of a model. Another one is added to {@link RUNTIMES}. */
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

/** In the order in which they are tried: the second one runs everywhere and takes several times as long. */
const RUNTIMES = { 'onnxruntime-node': openNodeRuntime, 'onnxruntime-web': openWebRuntime } as const;

/** The part of both libraries that is used, which is the same. */
type Library = Pick<typeof import('onnxruntime-node'), 'InferenceSession' | 'Tensor' | 'env'>;
type Session = Awaited<ReturnType<Library['InferenceSession']['create']>>;

/**
 * Loads a runtime, which nothing does before it is needed.
 *
 * @param name null: the first one that can be loaded on this machine
 * @throws `embedder_unavailable` (permanent) when there is no build of it for this machine
 * @example const { name } = await loadRuntime(null); // 'onnxruntime-node'
 */
export async function loadRuntime(name: RuntimeName | null): Promise<OnnxRuntime> {
  if (name !== null) return await RUNTIMES[name]();
  return await openNodeRuntime().catch((error: unknown) =>
    openWebRuntime().catch(() => {
      throw error;
    }),
  );
}

async function openNodeRuntime(): Promise<OnnxRuntime> {
  // Else it sends a report of each start to its makers, under a number that it keeps in the user's folder:
  // https://github.com/microsoft/onnxruntime/pull/27379. Read when the library is loaded.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const ort = await import('onnxruntime-node').catch((error: unknown) => {
    throw notForThisMachine('onnxruntime-node', error);
  });
  // Notes about the processor would land on stderr.
  ort.env.logLevel = 'error';
  return {
    name: 'onnxruntime-node',
    open: (model, threads) =>
      openModel(ort, model, {
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        // Threads that spin for their next work would take the processor from everybody else.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      }),
  };
}

/** The same as WebAssembly, on one thread: more of them spin for their next work, and are slower on a busy machine. */
async function openWebRuntime(): Promise<OnnxRuntime> {
  const ort = await import('onnxruntime-web').catch((error: unknown) => {
    throw notForThisMachine('onnxruntime-web', error);
  });
  ort.env.logLevel = 'error';
  ort.env.wasm.numThreads = 1;
  // Its program is beside it; nothing is fetched.
  const file = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm');
  ort.env.wasm.wasmBinary = await readFile(file);
  return {
    name: 'onnxruntime-web',
    open: (model) => openModel(ort, model, { executionProviders: ['wasm'] }),
  };
}

async function openModel(
  { InferenceSession, Tensor }: Library,
  model: Uint8Array,
  options: NonNullable<Parameters<Library['InferenceSession']['create']>[1]>,
): Promise<OnnxModel> {
  const session = await InferenceSession.create(model, {
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    ...options,
  });
  return { run: (tokens) => runOnce(session, Tensor, tokens), close: () => session.release() };
}

async function runOnce(
  session: Session,
  TensorOf: Library['Tensor'],
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

function notForThisMachine(name: RuntimeName, error: unknown) {
  const platform = `${process.platform}-${process.arch}`;
  const missing = errorCode(error) === 'MODULE_NOT_FOUND' || errorCode(error) === 'ERR_MODULE_NOT_FOUND';
  return unavailable({
    reason: missing ? `${name} has no build for ${platform}` : `${name} cannot be loaded on ${platform}`,
    remedy:
      'Install the development packages too, among which is onnxruntime-web, configure a remote embedder, or run Grove on Linux with glibc, Windows or a Mac with Apple silicon.',
    permanent: true,
    cause: error,
  });
}
