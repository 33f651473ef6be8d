import type { Trouble } from '../../unavailable.ts';
import type { ModelOptions } from '../model/load-model.ts';

/** What the thread is started with. */
export type ThreadStart = ModelOptions;

/** To the thread: one text to embed, or to end. */
export type ToThread = { readonly text: string } | 'close';

/** From the thread: once whether the model is there, then an answer to each text. */
export type FromThread =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly trouble: Trouble }
  | { readonly kind: 'vector'; readonly vector: Float32Array }
  | { readonly kind: 'error'; readonly reason: string };
