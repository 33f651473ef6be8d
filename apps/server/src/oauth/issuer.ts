import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mcpAddress, ownUrl } from '../http/local-url.ts';
import type { AppOptions } from '../http/options.ts';

/** Who issues tokens, and what they are for. */
export interface Issuer {
  /** The identifier of the authorization server (RFC 8414): an origin, without a trailing slash. */
  readonly origin: string;
  /** The identifier of the protected resource (RFC 8707): the address of MCP. */
  readonly resource: string;
}

/**
 * The issuer of a server: its public address, or the one by which this machine reaches it. The latter is known once the
 * server listens.
 *
 * @example issuerOf({ publicUrl: 'https://notes.example.org', names }, server).resource // 'https://notes.example.org/mcp'
 */
export function issuerOf(
  { publicUrl, names }: Pick<AppOptions, 'publicUrl' | 'names'>,
  server: Server,
): Issuer {
  const origin = ownUrl({ publicUrl, host: names.host, port: portOf(server) });
  return { origin, resource: mcpAddress(origin) };
}

function portOf(server: Server): number {
  const address = server.address() as AddressInfo | null;
  // A server that listens nowhere, as in a test, is reached by no client.
  return address?.port ?? 0;
}

/** Where the metadata of the protected resource are (RFC 9728 section 3.1). */
export function resourceMetadataUrl({ origin }: Issuer): string {
  return `${origin}/.well-known/oauth-protected-resource/mcp`;
}
