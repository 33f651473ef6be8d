// The search engine of one vault: what it is asked and what it answers.
export type * from './contract.ts';
// Opening it.
export { type OpenSearchOptions, openSearch } from './open-search.ts';
