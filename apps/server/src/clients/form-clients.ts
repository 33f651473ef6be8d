import type { Client } from './client.ts';
import { type Connection, mcpUrl } from './connection.ts';

const IN_A_CONTAINER =
  'In a container 127.0.0.1 is the container: start Grove with --host 0.0.0.0 and --allowed-hosts host.docker.internal, and use that name.';

/** What goes into the fields of a form, one server after the other. */
function fields(
  connections: readonly Connection[],
  rows: (connection: Connection) => readonly (readonly [field: string, value: string])[],
): string {
  return connections
    .map((connection) => {
      const filled = rows(connection);
      const width = Math.max(...filled.map(([field]) => field.length)) + 2;
      return filled.map(([field, value]) => `${`${field}:`.padEnd(width)}${value}`).join('\n');
    })
    .join('\n\n');
}

/** https://docs.openwebui.com/features/mcp */
export const openWebUi: Client = {
  id: 'open-webui',
  title: 'Open WebUI',
  by: 'key',
  where: 'Admin Settings > External Tools > Add Server',
  aside: IN_A_CONTAINER,
  text: (connections) =>
    fields(connections, (connection) => [
      ['Type', 'MCP (Streamable HTTP)'],
      ['URL', mcpUrl(connection)],
      ['Auth', 'Bearer'],
      ['Key', connection.key],
      ['Name', connection.name],
    ]),
};

/** https://docs.n8n.io/integrations/builtin/cluster-nodes/sub-nodes/n8n-nodes-langchain.toolmcp */
export const n8n: Client = {
  id: 'n8n',
  title: 'n8n',
  by: 'key',
  where: 'node MCP Client Tool',
  aside: IN_A_CONTAINER,
  text: (connections) =>
    fields(connections, (connection) => [
      ['Endpoint', mcpUrl(connection)],
      ['Server Transport', 'HTTP Streamable'],
      ['Authentication', 'Bearer Auth'],
      ['Bearer Token', connection.key],
    ]),
};

/** https://manual.raycast.com/ai/model-context-protocol */
export const raycast: Client = {
  id: 'raycast',
  title: 'Raycast',
  by: 'key',
  where: 'command Install MCP Server',
  text: (connections) =>
    fields(connections, (connection) => [
      ['Name', connection.name],
      ['Transport', 'HTTP'],
      ['URL', mcpUrl(connection)],
      ['HTTP Headers', `Authorization = Bearer ${connection.key}`],
    ]),
};
