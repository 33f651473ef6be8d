// The search engine of one vault: what it is asked and what it answers.
export type * from './contract.ts';
// What search by meaning needs from outside.
export type { OpenVectorStore } from './meaning/meaning-index.ts';
export type { FormerMeaning, MeaningSetup } from './meaning/meanings.ts';
export type { Embedder, StoredVector, VectorStore } from './meaning/port.ts';
export { notesEmbeddedIn } from './meaning/records/notes-embedded.ts';
// Opening it.
export { type OpenedSearch, type OpenSearchOptions, openSearch } from './open-search.ts';
