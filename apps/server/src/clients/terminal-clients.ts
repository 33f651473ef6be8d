import type { Client } from './client.ts';
import { mcpUrl } from './connection.ts';
import { shellWord } from './shell.ts';

/** https://code.claude.com/docs/en/mcp: the header comes last, since the option takes all words after it. */
export const claudeCode: Client = {
  id: 'claude-code',
  title: 'Claude Code',
  by: 'key',
  where: 'in a terminal',
  text: (connections) =>
    connections
      .map(
        (connection) =>
          `claude mcp add --transport http --scope user ${connection.name} ${shellWord(mcpUrl(connection))} --header "Authorization: Bearer ${connection.key}"`,
      )
      .join('\n'),
};

/** Not MCP: what a script sends. */
export const curl: Client = {
  id: 'curl',
  title: 'curl and scripts',
  by: 'key',
  where: 'in a terminal',
  text: (connections) =>
    connections
      .map(
        ({ url, key }) => `curl -H "Authorization: Bearer ${key}" ${shellWord(`${url}/v1/query?q=garden`)}`,
      )
      .join('\n'),
};
