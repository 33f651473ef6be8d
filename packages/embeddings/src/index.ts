// The model that comes with Grove.
export { type LocalEmbedderOptions, openLocalEmbedder } from './local/open-local-embedder.ts';
