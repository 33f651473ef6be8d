import type { Client } from './client.ts';
import { mcpUrl } from './connection.ts';

/** https://developers.openai.com/codex/mcp: a key in the file goes by its header. */
export const codex: Client = {
  id: 'codex',
  title: 'Codex',
  by: 'key',
  where: '~/.codex/config.toml',
  text: (connections) =>
    connections
      .map(
        (connection) =>
          `[mcp_servers.${connection.name}]\nurl = ${JSON.stringify(mcpUrl(connection))}\nhttp_headers = { "Authorization" = "Bearer ${connection.key}" }`,
      )
      .join('\n\n'),
};

/** https://docs.continue.dev/customize/deep-dives/mcp */
export const continueDev: Client = {
  id: 'continue',
  title: 'Continue',
  by: 'key',
  where: '~/.continue/config.yaml',
  text: (connections) =>
    [
      'mcpServers:',
      ...connections.flatMap((connection) => [
        `  - name: ${connection.name}`,
        '    type: streamable-http',
        `    url: ${mcpUrl(connection)}`,
        '    requestOptions:',
        '      headers:',
        `        Authorization: Bearer ${connection.key}`,
      ]),
    ].join('\n'),
};

/** https://goose-docs.ai/docs/guides/config-files: the address is called uri. */
export const goose: Client = {
  id: 'goose',
  title: 'Goose',
  by: 'key',
  where: '~/.config/goose/config.yaml',
  text: (connections) =>
    [
      'extensions:',
      ...connections.flatMap((connection) => [
        `  ${connection.name}:`,
        '    enabled: true',
        '    type: streamable_http',
        `    name: ${connection.name}`,
        `    uri: ${mcpUrl(connection)}`,
        '    headers:',
        `      Authorization: Bearer ${connection.key}`,
        '    timeout: 300',
      ]),
    ].join('\n'),
};
