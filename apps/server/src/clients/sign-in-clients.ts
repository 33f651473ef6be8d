import type { Client } from './client.ts';
import { type Connection, mcpUrl } from './connection.ts';
import { addressEntry, cursorLinks, type InstallLink, vscodeLinks } from './install-links.ts';

/** A client that is let in by signing in, instead of by a key. */
export interface SignInClient {
  readonly id: string;
  readonly title: string;
  /** True for one that calls from its maker's machines: it reaches public https addresses alone. */
  readonly isRemote: boolean;
  /** What a person does, step by step; the last one leads to the page for signing in. */
  steps(mcpUrl: string): readonly string[];
  /** What is pasted where it is not the address alone. */
  paste?(mcpUrl: string, name: string): string;
  /** Links that spare the pasting. No key is in them. */
  links?(connection: Pick<Connection, 'name' | 'url'>): readonly InstallLink[];
}

/** https://support.claude.com/en/articles/11503834-building-custom-integrations-via-remote-mcp-servers */
const claude: SignInClient = {
  id: 'claude-ai',
  title: 'Claude (web, desktop and phone)',
  isRemote: true,
  steps: () => [
    'On claude.ai or in the desktop app: Customize > Connectors (in some versions Settings > Connectors) > Add custom connector.',
    'Give it a name, paste the address, and choose Add.',
    'Choose Connect, and sign in on the page that opens. Phones have the connector then, too.',
  ],
};

/** https://developers.openai.com/api/docs/guides/custom-mcp-server */
const chatgpt: SignInClient = {
  id: 'chatgpt',
  title: 'ChatGPT',
  isRemote: true,
  steps: () => [
    'On chatgpt.com/plugins: the plus button > Add custom MCP server. Where that is not there: Settings > Apps > Advanced settings > Developer mode, then Create app.',
    'Give it a name, paste the address as the server URL, and choose OAuth.',
    'Confirm the warning, choose Create, install what was made, and sign in on the page that opens.',
  ],
};

/** https://code.claude.com/docs/en/mcp */
const claudeCode: SignInClient = {
  id: 'claude-code',
  title: 'Claude Code',
  isRemote: false,
  paste: (mcpUrl, name) => `claude mcp add --transport http --scope user ${name} ${mcpUrl}`,
  steps: () => [
    'Run this in a terminal.',
    'In a session type /mcp, choose the server and Authenticate, and sign in on the page that opens.',
  ],
};

/** https://cursor.com/docs/mcp */
const cursor: SignInClient = {
  id: 'cursor',
  title: 'Cursor',
  isRemote: false,
  paste: (mcpUrl, name) => JSON.stringify({ mcpServers: { [name]: { url: mcpUrl } } }, null, 2),
  links: (connection) => cursorLinks(connection, addressEntry(connection)),
  steps: () => [
    'Put this into ~/.cursor/mcp.json.',
    'In the settings, under MCP, choose Connect at the server, and sign in on the page that opens.',
  ],
};

/** https://code.visualstudio.com/docs/copilot/customization/mcp-servers */
const vscode: SignInClient = {
  id: 'vscode',
  title: 'VS Code',
  isRemote: false,
  paste: (mcpUrl, name) => JSON.stringify({ servers: { [name]: { type: 'http', url: mcpUrl } } }, null, 2),
  links: (connection) => vscodeLinks(connection, addressEntry(connection, { type: 'http' })),
  steps: () => [
    'Run the command "MCP: Open User Configuration" and put this there.',
    'Choose Start above the server, allow it to sign in, and do so on the page that opens.',
  ],
};

/** Every client that is known to sign in. */
export const SIGN_IN_CLIENTS: readonly SignInClient[] = [claude, chatgpt, claudeCode, cursor, vscode];

/** Those that take nothing but an address, as `grove connect` has them. */
export const REMOTE_CLIENTS: readonly Client[] = SIGN_IN_CLIENTS.filter(({ isRemote }) => isRemote).map(
  ({ id, title, steps }) => ({
    id,
    title,
    by: 'sign-in',
    where: 'in its settings, on the web',
    aside: 'It calls from its maker’s machines: the address must be public and begin with https.',
    text: (connections) =>
      connections
        .map((connection) => {
          const address = mcpUrl(connection);
          const numbered = steps(address).map((step, at) => `${at + 1}. ${step}`);
          return [`${connection.name}: ${address}`, ...numbered].join('\n');
        })
        .join('\n\n'),
  }),
);
