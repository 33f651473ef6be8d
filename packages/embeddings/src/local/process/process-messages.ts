import type { Trouble } from '../../unavailable.ts';
import type { RuntimeName } from '../model/runtime.ts';

/** To the process: one text to embed. */
export interface ToProcess {
  readonly text: string;
}

/** From the process: once whether the model is there, with what it makes of the known text; then an answer to each text. */
export type FromProcess =
  | { readonly kind: 'ready'; readonly known: Float32Array; readonly runtime: RuntimeName }
  | { readonly kind: 'failed'; readonly trouble: Trouble }
  | { readonly kind: 'vector'; readonly vector: Float32Array }
  | { readonly kind: 'error'; readonly reason: string };
