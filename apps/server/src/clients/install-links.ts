import { type Connection, mcpUrl } from './connection.ts';

/** A link that installs the server in a client by a click. */
export interface InstallLink {
  /** What it opens, and how. */
  readonly title: string;
  readonly url: string;
}

/** What a client keeps of the server, apart from its name. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * Cursor installs what a link holds as base64, after asking.
 *
 * https://cursor.com/docs/mcp/install-links
 */
export function cursorLinks({ name }: Pick<Connection, 'name'>, entry: Entry): readonly InstallLink[] {
  const query = new URLSearchParams({ name, config: Buffer.from(JSON.stringify(entry)).toString('base64') });
  return [{ title: 'Install in Cursor', url: `cursor://anysphere.cursor-deeplink/mcp/install?${query}` }];
}

/**
 * VS Code takes JSON with the name in it; for places that link to https alone, such as a chat, its makers' site leads on.
 *
 * https://code.visualstudio.com/api/extension-guides/ai/mcp
 */
export function vscodeLinks({ name }: Pick<Connection, 'name'>, entry: Entry): readonly InstallLink[] {
  const config = encodeURIComponent(JSON.stringify({ name, ...entry }));
  const redirect = `name=${encodeURIComponent(name)}&config=${encodeURIComponent(JSON.stringify(entry))}`;
  return [
    { title: 'Install in VS Code', url: `vscode:mcp/install?${config}` },
    { title: 'The same by way of vscode.dev', url: `https://vscode.dev/redirect/mcp/install?${redirect}` },
  ];
}

/** The address alone: the client then leads to the page for signing in. */
export function addressEntry(connection: Pick<Connection, 'url'>, extra: Entry = {}): Entry {
  return { ...extra, url: mcpUrl(connection) };
}
