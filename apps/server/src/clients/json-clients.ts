import type { Client } from './client.ts';
import { type Connection, mcpUrl } from './connection.ts';
import { addressEntry, cursorLinks, type Entry, vscodeLinks } from './install-links.ts';
import { jsonText } from './json-text.ts';

/** An entry that starts `grove stdio`. */
function commandEntry({ stdio: { command, args, env } }: Connection): object {
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

function headers({ key }: Connection): object {
  return { headers: { Authorization: `Bearer ${key}` } };
}

function named(
  connections: readonly Connection[],
  entry: (connection: Connection) => object,
): Record<string, object> {
  return Object.fromEntries(connections.map((connection) => [connection.name, entry(connection)]));
}

/** An entry with the address and the key, under the word that the client has for the address. */
function keyEntry(word: string, extra: Entry = {}): (connection: Connection) => Entry {
  return (connection) => ({ ...extra, [word]: mcpUrl(connection), ...headers(connection) });
}

/** https://modelcontextprotocol.io/docs/develop/connect-local-servers */
export const claudeDesktop: Client = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  by: 'command',
  where: 'claude_desktop_config.json (Settings > Developer > Edit Config)',
  aside: 'It starts Grove itself and needs no key; beside a running server it passes through that.',
  text: (connections) => jsonText({ mcpServers: named(connections, commandEntry) }),
};

const HTTP = { type: 'http' };

/** https://cursor.com/docs/mcp */
export const cursor: Client = {
  id: 'cursor',
  title: 'Cursor',
  by: 'key',
  where: '~/.cursor/mcp.json',
  text: (connections) => jsonText({ mcpServers: named(connections, keyEntry('url')) }),
  links: (connection, withKey) =>
    cursorLinks(connection, withKey ? keyEntry('url')(connection) : addressEntry(connection)),
};

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
export const vscode: Client = {
  id: 'vscode',
  title: 'VS Code',
  by: 'key',
  where: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
  text: (connections) => jsonText({ servers: named(connections, keyEntry('url', HTTP)) }),
  links: (connection, withKey) =>
    vscodeLinks(connection, withKey ? keyEntry('url', HTTP)(connection) : addressEntry(connection, HTTP)),
};

/** https://docs.windsurf.com/windsurf/cascade/mcp: the address is called serverUrl. */
export const windsurf: Client = {
  id: 'windsurf',
  title: 'Windsurf',
  by: 'key',
  where: '~/.codeium/windsurf/mcp_config.json',
  text: (connections) => jsonText({ mcpServers: named(connections, keyEntry('serverUrl')) }),
};

/** https://zed.dev/docs/ai/mcp */
export const zed: Client = {
  id: 'zed',
  title: 'Zed',
  by: 'key',
  where: '~/.config/zed/settings.json (command "zed: open settings file")',
  text: (connections) => jsonText({ context_servers: named(connections, keyEntry('url')) }),
};

/** https://geminicli.com/docs/tools/mcp-server: url would mean the older SSE transport. */
export const geminiCli: Client = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  by: 'key',
  where: '~/.gemini/settings.json',
  text: (connections) => jsonText({ mcpServers: named(connections, keyEntry('httpUrl')) }),
};

/** https://docs.cline.bot/mcp/connecting-to-a-remote-server */
export const cline: Client = {
  id: 'cline',
  title: 'Cline',
  by: 'key',
  where: 'cline_mcp_settings.json (MCP Servers > Configure > Configure MCP Servers)',
  text: (connections) =>
    jsonText({ mcpServers: named(connections, keyEntry('url', { type: 'streamableHttp' })) }),
};

/** https://lmstudio.ai/docs/app/mcp */
export const lmStudio: Client = {
  id: 'lm-studio',
  title: 'LM Studio',
  by: 'key',
  where: 'mcp.json (Program > Install > Edit mcp.json)',
  text: (connections) => jsonText({ mcpServers: named(connections, keyEntry('url')) }),
};

/** https://opencode.ai/docs/mcp-servers */
export const opencode: Client = {
  id: 'opencode',
  title: 'opencode',
  by: 'key',
  where: '~/.config/opencode/opencode.json',
  aside: 'Version 1 has the servers directly under "mcp", without "servers".',
  text: (connections) =>
    jsonText({
      mcp: {
        servers: named(connections, (connection) => ({
          ...keyEntry('url', { type: 'remote' })(connection),
          oauth: false,
        })),
      },
    }),
};

/** https://www.jetbrains.com/help/ai-assistant/mcp.html */
export const jetbrains: Client = {
  id: 'jetbrains',
  title: 'JetBrains AI Assistant',
  by: 'command',
  where: 'Settings > Tools > AI Assistant > Model Context Protocol (MCP) > Add > As JSON',
  text: (connections) => jsonText({ mcpServers: named(connections, commandEntry) }),
};
