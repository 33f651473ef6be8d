import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../../app.ts';
import { listen } from '../../http/listen.ts';
import { type AppOptions, DEFAULT_LIMITS } from '../../http/options.ts';
import { gardenOptions } from '../../testing/garden-options.ts';
import { type Garden, type GardenNotes, openGarden } from '../../testing/open-garden.ts';

/** The passphrase of the owner of every garden. */
export const PASSPHRASE = 'tall tomatoes by the south wall';

/** All clients of a test have one address. */
const UNLIMITED = {
  ...DEFAULT_LIMITS,
  maxRegistrations: 10_000,
  maxSignIns: 10_000,
  maxAuthorizations: 10_000,
};

/** A small vault behind the real HTTP server, whose owner has a passphrase, and which listens. */
export interface OAuthGarden extends Garden {
  /** The issuer, without a trailing slash. */
  readonly url: string;
  /** The address of MCP. */
  readonly resource: string;
  readonly control: Control;
  readonly app: FastifyInstance;
  /** Ends the server and serves the same again, with control.db read anew. */
  restart(): Promise<void>;
}

/** Serves notes on a free port of this machine. */
export async function oauthGarden(
  notes: GardenNotes = {},
  options: Partial<AppOptions> = {},
): Promise<OAuthGarden> {
  const garden = await openGarden(notes);
  const host = '127.0.0.1';
  const port = await freePort();
  const url = `http://${host}:${port}`;
  const resource = `${url}/mcp`;
  const { clock = systemClock } = options;
  const start = async () => {
    const control = openControl({ dataDir: garden.dataDir, clock, resource });
    const app = await buildApp({ ...gardenOptions(garden, control), limits: UNLIMITED, ...options });
    await listen(app, { host, port });
    return { control, app };
  };
  let running = await start();
  await running.control.owner.set(PASSPHRASE);
  const stop = async (): Promise<void> => {
    await running.app.close();
    running.control.close();
  };
  return {
    ...garden,
    url,
    resource,
    get control() {
      return running.control;
    },
    get app() {
      return running.app;
    },
    restart: async () => {
      await stop();
      running = await start();
      // Connections of before are met once, so that no request of a test does.
      await fetch(url).catch(() => {});
    },
    close: async () => {
      await stop();
      await garden.close();
    },
  };
}

/** A port that nothing listens on: the name of the issuer holds it, and control.db is opened with that. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
