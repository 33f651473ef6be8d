// The search engine of a vault.
export type * from './contract.ts';
