/** How the `grove stdio` command of one vault is started by a client. */
export interface StdioCommand {
  /** What the client shall call the server. */
  readonly name: string;
  /** Absolute path of the `grove` command. */
  readonly command: string;
  readonly args: readonly string[];
  /** Settings that a client must hand on: it does not know the environment of this terminal. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a person pastes to connect one or more clients. */
export interface ClientConfig {
  /** Each client with the place its text goes to: a file, or a terminal. */
  readonly clients: readonly { readonly name: string; readonly where: string }[];
  readonly text: string;
}

/**
 * Ready-made configurations for the clients that start MCP servers themselves; each text holds all the servers.
 *
 * @example clientConfigs([{ name: 'grove', command: '/opt/grove/bin/grove', args: ['stdio', '--vault', '/home/ann/Notes'], env: {} }])
 */
export function clientConfigs(servers: readonly StdioCommand[]): readonly ClientConfig[] {
  const named = (extra: object): Record<string, object> =>
    Object.fromEntries(servers.map((server) => [server.name, { ...extra, ...serverEntry(server) }]));
  return [
    {
      clients: [{ name: 'Claude Code', where: 'in a terminal' }],
      text: servers.map(addCommand).join('\n'),
    },
    {
      clients: [
        { name: 'Claude Desktop', where: 'claude_desktop_config.json (Settings > Developer > Edit Config)' },
        { name: 'Cursor', where: '~/.cursor/mcp.json' },
      ],
      text: jsonText({ mcpServers: named({}) }),
    },
    {
      clients: [
        { name: 'VS Code', where: '.vscode/mcp.json, or the command "MCP: Open User Configuration"' },
      ],
      text: jsonText({ servers: named({ type: 'stdio' }) }),
    },
  ];
}

function serverEntry({ command, args, env }: StdioCommand): object {
  return { command, args, ...(Object.keys(env).length === 0 ? {} : { env }) };
}

function addCommand({ name, command, args, env }: StdioCommand): string {
  const variables = Object.entries(env).map(([key, value]) => `-e ${quote(`${key}=${value}`)} `);
  const started = [command, ...args].map(quote).join(' ');
  return `claude mcp add --scope user ${quote(name)} ${variables.join('')}-- ${started}`;
}

/** JSON on several lines, lists on one. */
function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replaceAll(
    /\[\s+("[^[\]]*")\s+\]/g,
    (_, items: string) => `[${items.replaceAll(/",\s+"/g, '", "')}]`,
  );
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
