import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, startServer } from './running-server.ts';
import { makeScratch, type Scratch } from './vault-folder.ts';

/** The vault of a test file with a server beside it. */
export interface ServedScratch {
  readonly scratch: Scratch;
  readonly server: RunningServer;
}

/** Serves a vault from before the first test of this file until after the last; only these can ask for it. */
export function servedScratch(): ServedScratch {
  let served: ServedScratch | null = null;
  const ask = (): ServedScratch => {
    if (served === null) throw new Error('the server is not started yet');
    return served;
  };
  beforeAll(async () => {
    const scratch = makeScratch();
    served = { scratch, server: await startServer(['--vault', scratch.vault, '--data', scratch.data]) };
  });
  afterAll(async () => {
    await served?.server.stop();
    served?.scratch.remove();
  });
  return {
    get scratch() {
      return ask().scratch;
    },
    get server() {
      return ask().server;
    },
  };
}
