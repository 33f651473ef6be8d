import { expect } from 'vitest';
import { openOpenAiCompatible } from '../remote/openai-compatible.ts';
import { type EmbeddingServer, startEmbeddingServer } from './embedding-server.ts';
import { type MeaningVault, openMeaningVault } from './meaning-vault.ts';

const DIMENSIONS = 64;

/** A vault of many notes, all embedded by a server, which is faster than the local model. */
export interface ServedVault {
  readonly folder: MeaningVault;
  readonly server: EmbeddingServer;
  close(): Promise<void>;
}

/** Opens it; `close` deletes the vault and ends the server. */
export async function openServedVault(notes: Readonly<Record<string, string>>): Promise<ServedVault> {
  const server = await startEmbeddingServer({ dimensions: DIMENSIONS, batch: 256 });
  const folder = await openMeaningVault(notes, {
    embedder: async () =>
      openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: DIMENSIONS }),
  });
  expect(await folder.embedded()).toBe(true);
  return {
    folder,
    server,
    close: async () => {
      await folder.close();
      await server.close();
    },
  };
}
