import { findOwner, type HttpAddress } from '@grove/server';
import type { CommonOptions, Run } from '../run.ts';
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

/** Where a server started with these settings would be reached from this machine, without a trailing slash. */
export function expectedUrl({ host, port }: { readonly host: string; readonly port: number }): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
