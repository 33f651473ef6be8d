import { readModelFiles } from './model-files.ts';
import { loadRuntime, type RuntimeName } from './runtime.ts';
import { openTokenizer } from './tokens.ts';

/** Vectors of the local model have this many numbers. */
export const DIMENSIONS = 384;

/** What is needed to load the local model, in whichever process. */
export interface ModelOptions {
  readonly folder: string;
  /** Null: the first one that can be loaded here. */
  readonly runtime: RuntimeName | null;
  /** Threads that one run may use. */
  readonly threads: number;
}

/** The local model, loaded: its work holds the process that it runs in. */
export interface LoadedModel {
  readonly runtime: RuntimeName;
  /** The vector of one text, of length 1. */
  embed(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/**
 * Loads the local model. One text a run: with several, the vector of each would depend on the others, for
 * activations are scaled over the whole batch.
 *
 * @throws `embedder_unavailable` when files are missing or damaged, or the runtime does not run here
 * @example const model = await loadModel({ folder: MODEL_FOLDER, runtime: null, threads: 2 });
 */
export async function loadModel({ folder, runtime, threads }: ModelOptions): Promise<LoadedModel> {
  const files = await readModelFiles(folder);
  const tokenize = openTokenizer(files.tokenizer);
  const { name, open } = await loadRuntime(runtime);
  const model = await open(files.model, threads);
  return {
    runtime: name,
    async embed(text) {
      const vector = await model.run(tokenize(text));
      if (vector.length !== DIMENSIONS || !vector.every(Number.isFinite))
        throw new Error('The model gave a vector that is none');
      return vector;
    },
    close: () => model.close(),
  };
}
