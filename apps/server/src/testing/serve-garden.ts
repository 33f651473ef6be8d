import { type Control, type KeyWish, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { listen } from '../http/listen.ts';
import type { AppOptions } from '../http/options.ts';
import { gardenOptions } from './garden-options.ts';
import { type Garden, type GardenNotes, openGarden } from './open-garden.ts';

/** A small vault behind the real HTTP server, with real keys. */
export interface ServedGarden extends Garden {
  readonly app: FastifyInstance;
  readonly control: Control;
  /** Makes a key of the garden; read only unless the wish says more. */
  key(wish?: Partial<KeyWish>): string;
  /** Listens on a free port of this machine; gives the address without a trailing slash. */
  listen(): Promise<string>;
}

/** Opens the notes and builds the app, which listens only when asked. */
export async function serveGarden(
  notes: GardenNotes = {},
  options: Partial<AppOptions> = {},
): Promise<ServedGarden> {
  const garden = await openGarden(notes);
  const control = openControl({ dataDir: garden.dataDir, clock: systemClock });
  const app = await buildApp({ ...gardenOptions(garden, control), ...options });
  let made = 0;
  return {
    ...garden,
    app,
    control,
    key: (wish = {}) => {
      made += 1;
      return control.keys.create({ name: `key ${made}`, vault: garden.opened.slug, ...wish }).token;
    },
    listen: async () => `http://127.0.0.1:${await listen(app, { host: '127.0.0.1', port: 0 })}`,
    close: async () => {
      await app.close();
      control.close();
      await garden.close();
    },
  };
}
