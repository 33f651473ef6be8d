// The model that comes with Grove.
export { type LocalEmbedderOptions, openLocalEmbedder } from './local/open-local-embedder.ts';
// Models of others, over HTTP.
export {
  askDimensions,
  type OpenAiCompatibleOptions,
  openOpenAiCompatible,
} from './remote/openai-compatible.ts';
export { openVoyage, type VoyageOptions } from './remote/voyage.ts';
// Where vectors are kept.
export { type VectorStores, vectorStores } from './stores/vector-stores.ts';
