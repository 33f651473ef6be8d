import { buildApp } from '../app.ts';
import { listen } from './listen.ts';
import type { ListenAddress } from './listen-address.ts';
import { localUrl } from './local-url.ts';
import type { AppOptions } from './options.ts';

/** The HTTP server of this process. */
export interface HttpServing {
  readonly port: number;
  /** Where this machine reaches it, without a trailing slash. */
  readonly url: string;
  /** A proxy that nobody named, as the plugin `passedOn` noticed it; null for none. */
  unnamedProxy(): string | null;
  /** Ends what is open, in order, and stops listening. A second call waits for the first. */
  close(): Promise<void>;
}

/**
 * Builds the server and listens.
 *
 * @throws GroveError `port_taken`, `listen_failed`
 * @example const serving = await serveHttp(options, { host: '127.0.0.1', port: 8420 });
 */
export async function serveHttp(options: AppOptions, address: ListenAddress): Promise<HttpServing> {
  const app = await buildApp(options);
  try {
    const port = await listen(app, address);
    let closed: Promise<void> | null = null;
    return {
      port,
      url: localUrl(address.host, port),
      unnamedProxy: () => app.unnamedProxy(),
      close: () => {
        closed ??= app.close().then(() => {});
        return closed;
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}
