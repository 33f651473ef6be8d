/** How the `grove stdio` command of one vault is started by a client. */
export interface StdioCommand {
  /** Absolute path of the `grove` command. */
  readonly command: string;
  readonly args: readonly string[];
}

/** What a person pastes to connect one client. */
export interface ClientConfig {
  readonly client: string;
  /** Where the text goes: a file, or a terminal. */
  readonly where: string;
  readonly text: string;
}

/**
 * Ready-made configurations for the clients that start MCP servers themselves.
 *
 * @example clientConfigs({ command: '/opt/grove/bin/grove', args: ['stdio', '--vault', '/home/ann/Notes'] })
 */
export function clientConfigs({ command, args }: StdioCommand): readonly ClientConfig[] {
  const server = { command, args };
  return [
    {
      client: 'Claude Desktop',
      where: 'claude_desktop_config.json (Settings > Developer > Edit Config)',
      text: JSON.stringify({ mcpServers: { grove: server } }, null, 2),
    },
    {
      client: 'Claude Code',
      where: 'in a terminal',
      text: `claude mcp add --scope user grove -- ${[command, ...args].map(quote).join(' ')}`,
    },
    {
      client: 'Cursor',
      where: '~/.cursor/mcp.json',
      text: JSON.stringify({ mcpServers: { grove: server } }, null, 2),
    },
    {
      client: 'VS Code',
      where: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
      text: JSON.stringify({ servers: { grove: { type: 'stdio', ...server } } }, null, 2),
    },
  ];
}

/** A word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
