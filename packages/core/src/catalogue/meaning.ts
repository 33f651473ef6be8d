import type { CatalogueEntry } from './entry.ts';

/** Errors of search by meaning. */
export const MEANING = {
  embedder_unavailable: {
    status: 503,
    message: 'Texts cannot be turned into vectors: {reason}.',
    hint: 'Search by words works without; the owner of the server sees what is wrong with vault_status.',
  },
} as const satisfies Record<string, CatalogueEntry>;
