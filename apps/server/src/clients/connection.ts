import { createHash } from 'node:crypto';

/** One vault as a client connects to it: over HTTP with a key, or by starting `grove stdio`. */
export interface Connection {
  /** What the client shall call the server. */
  readonly name: string;
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** The key, or a placeholder for it. */
  readonly key: string;
  readonly stdio: StdioCommand;
}

/** How a client that starts servers itself starts this one. */
export interface StdioCommand {
  /** Absolute path of the `grove` command. */
  readonly command: string;
  readonly args: readonly string[];
  /** Settings that a client must hand on: it does not know the environment of this terminal. */
  readonly env: Readonly<Record<string, string>>;
}

/** Stands for a key that is not known: keys are shown once. */
export const KEY_PLACEHOLDER = 'YOUR_KEY';

/** The address of MCP. */
export function mcpUrl({ url }: Pick<Connection, 'url'>): string {
  return `${url}/mcp`;
}

/**
 * What a client shall call the server of a vault: `grove`, with the vault's slug where there are several. Clients take
 * letters, digits, hyphens and underscores only.
 *
 * @example serverName('jürgens-notes', true) // 'grove-jurgens-notes'
 */
export function serverName(slug: string, several: boolean): string {
  if (!several) return 'grove';
  const plain = slug
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  const spelt = plain.replaceAll('-', '').length >= slug.length / 2;
  return `grove-${spelt ? plain : createHash('sha256').update(slug).digest('hex').slice(0, 8)}`;
}
