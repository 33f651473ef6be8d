import { availableParallelism } from 'node:os';
import type { Embedder } from '@grove/search';
import { LocalEmbedder, type Pauses } from './local-embedder.ts';
import { DIMENSIONS } from './model/load-model.ts';
import { MODEL_FOLDER } from './model/model-files.ts';
import type { RuntimeName } from './model/runtime.ts';
import type { ProcessOptions } from './process/model-process.ts';

/** How the local embedder is opened. */
export interface LocalEmbedderOptions {
  /** The model's files; those that come with Grove when left out. */
  readonly modelFolder?: string;
  /** What runs the model; left out: onnxruntime-node, or onnxruntime-web where that has no build for the machine. */
  readonly runtime?: RuntimeName;
  /** Threads that work on one text: 2, or 1 on one core. */
  readonly threads?: number;
  /** True: the model is loaded at once, beside whatever else a start has to do; else with the first text. */
  readonly loadNow?: boolean;
  readonly process?: ProcessOptions;
  readonly pauses?: Partial<Pauses>;
}

/**
 * Opens the model that comes with Grove, bge-small-en-v1.5 with int8 weights: English, 384 dimensions, at most 512
 * tokens of a text (the rest is left out). Cheap: the model is loaded with the first text, or with `loadNow` beside other
 * work, in a process of its own. Texts stay on the machine.
 *
 * Its methods throw `embedder_unavailable` when the model cannot be loaded or its process keeps dying; they try again
 * after a pause. Unused, it does not keep this process, and the other never outlives this one.
 *
 * @example
 * const embedder = await openLocalEmbedder();
 * const [vector] = await embedder.embedPassages(['Rain barrels keep water.']);
 */
export async function openLocalEmbedder(options: LocalEmbedderOptions = {}): Promise<Embedder> {
  const embedder = new LocalEmbedder({
    model: {
      folder: options.modelFolder ?? MODEL_FOLDER,
      runtime: options.runtime ?? null,
      threads: options.threads ?? Math.min(2, availableParallelism()),
    },
    name: 'bge-small-en-v1.5-int8',
    dimensions: DIMENSIONS,
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    process: options.process ?? {},
    pauses: { failureMs: 60_000, longestMs: 30 * 60_000, deathsWithinMs: 600_000, ...options.pauses },
  });
  if (options.loadNow === true) embedder.load();
  return embedder;
}
