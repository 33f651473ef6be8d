import { findOwner, type HttpAddress, type ListenAddress, localUrl } from '@grove/server';
import type { CommonOptions, Run } from '../run.ts';
import { knownVaults, meantVaults } from './known-vaults.ts';
import { dataDirOf } from './vault-of-run.ts';

/** Where the server that serves the vault listens now; null when none does. */
export async function runningServer(
  run: Run,
  options: CommonOptions,
  { root }: { readonly root: string },
): Promise<HttpAddress | null> {
  const where = { dataDir: dataDirOf(run, options), runtimeDir: run.settings.runtimeDir };
  return (await findOwner(root, where))?.http ?? null;
}

/** Where clients reach a vault. */
interface VaultAddress {
  /** The server that serves it now; null when none does. */
  readonly running: HttpAddress | null;
  /** Where others reach it; null when it is for this machine alone. */
  readonly publicUrl: string | null;
  /** Without a trailing slash. */
  readonly url: string;
}

/** Where clients reach the vault: at the server that serves it now, else where one with these settings would be. */
export async function addressOf(
  run: Run,
  options: CommonOptions,
  vault: { readonly root: string },
): Promise<VaultAddress> {
  const running = await runningServer(run, options, vault);
  const { server } = run.settings;
  const publicUrl = running === null ? server.publicUrl : running.publicUrl;
  return { running, publicUrl, url: publicUrl ?? running?.url ?? expectedUrl(server) };
}

/**
 * True when clients need names to tell vaults apart: the server at this address serves more than one; where none runs,
 * more than one is known.
 */
export async function servesSeveral(
  run: Run,
  options: CommonOptions,
  http: HttpAddress | null,
): Promise<boolean> {
  const dataDir = dataDirOf(run, options);
  if (http === null) return (await meantVaults(dataDir)).length > 1;
  const known = await knownVaults(dataDir);
  const servers = await Promise.all(known.map((vault) => runningServer(run, options, vault)));
  return servers.filter((server) => server?.url === http.url).length > 1;
}

/**
 * Where a server started with these settings would be reached from this machine, without a trailing slash; `PORT` stands
 * for one that is chosen at each start.
 */
function expectedUrl({ host, port }: ListenAddress): string {
  return localUrl(host, port === 0 ? 'PORT' : port);
}
