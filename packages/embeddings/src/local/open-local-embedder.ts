import { availableParallelism } from 'node:os';
import type { Embedder } from '@grove/search';
import { LocalEmbedder, type Pauses } from './local-embedder.ts';
import { DIMENSIONS, type ModelOptions } from './model/load-model.ts';
import { MODEL_FOLDER } from './model/model-files.ts';
import { type ProbeOptions, probeModel } from './probe/probe.ts';
import { rememberedProbe } from './probe/remembered-probe.ts';

/** How the local embedder is opened. */
export interface LocalEmbedderOptions {
  /** Folder for the small file that remembers whether the model runs on this machine. */
  readonly stateFolder: string;
  /** The model's files; those that come with Grove when left out. */
  readonly modelFolder?: string;
  /** Threads that work on one text: 2, or 1 on one core. More make no text faster. */
  readonly threads?: number;
  readonly probe?: ProbeOptions;
  readonly pauses?: Partial<Pauses>;
  /** What the thread runs; something that behaves worse, in tests. */
  readonly threadScript?: URL;
}

/**
 * Opens the model that comes with Grove, bge-small-en-v1.5 with int8 weights: English, 384 dimensions, at most 512
 * tokens of a text (the rest is left out). Cheap: the model is loaded on a thread of its own with the first text,
 * after a child process has tried it once on this machine. Texts stay on the machine.
 *
 * Its methods throw `embedder_unavailable` when the model cannot be loaded or its thread keeps dying; they try again
 * after a pause. Unused, it does not keep the process.
 *
 * @example
 * const embedder = await openLocalEmbedder({ stateFolder: '/home/ann/.local/share/grove' });
 * const [vector] = await embedder.embedPassages(['Rain barrels keep water.']);
 */
export async function openLocalEmbedder(options: LocalEmbedderOptions): Promise<Embedder> {
  const model: ModelOptions = {
    folder: options.modelFolder ?? MODEL_FOLDER,
    runtime: 'onnxruntime-node',
    threads: options.threads ?? Math.min(2, availableParallelism()),
  };
  return new LocalEmbedder({
    model,
    name: 'bge-small-en-v1.5-int8',
    dimensions: DIMENSIONS,
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    probe: (signal) =>
      rememberedProbe(options.stateFolder, model.runtime, () => probeModel(model, signal, options.probe)),
    ...(options.threadScript === undefined ? {} : { threadScript: options.threadScript }),
    pauses: { failureMs: 60_000, deathsWithinMs: 600_000, ...options.pauses },
  });
}
