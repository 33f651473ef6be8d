import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { buildApp } from '../app.ts';
import { listen } from '../http/listen.ts';
import { gardenOptions } from './garden-options.ts';
import { openGarden } from './open-garden.ts';

/** A served vault that can be restarted as a server is: another app, the keys read again from their file. */
export interface RestartableServer {
  /** Without a trailing slash; stays the same. */
  readonly url: string;
  /** A key that reads. */
  readonly token: string;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a vault on a free port of this machine. */
export async function restartableServer(notes: Readonly<Record<string, string>>): Promise<RestartableServer> {
  const garden = await openGarden(notes);
  const host = '127.0.0.1';
  const start = async (port: number) => {
    const control = openControl({ dataDir: garden.dataDir, clock: systemClock });
    const app = await buildApp(gardenOptions(garden, control));
    return { control, app, port: await listen(app, { host, port }) };
  };
  let running = await start(0);
  const { port, control } = running;
  const stop = async (): Promise<void> => {
    await running.app.close();
    running.control.close();
  };
  return {
    url: `http://${host}:${port}`,
    token: control.keys.create({ name: 'reader', vault: garden.opened.slug }).token,
    restart: async () => {
      await stop();
      running = await start(port);
    },
    close: async () => {
      await stop();
      await garden.close();
    },
  };
}
