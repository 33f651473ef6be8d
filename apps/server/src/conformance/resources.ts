import { type McpServer, type ProtocolEra, ResourceTemplate } from '@modelcontextprotocol/server';
import { PNG } from './media.ts';

/** Fixed resources, a template, and a subscription that is taken and stays silent: nothing here changes. */
export function registerResources(server: McpServer, era: ProtocolEra): void {
  registerText(server, 'static-text', 'This is the content of the static text resource.');
  registerText(server, 'watched-resource', 'This resource can be watched.');
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'An image', mimeType: 'image/png' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by its id', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  // 2026-07-28 has no such methods.
  if (era === 'modern') return;
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function registerText(server: McpServer, name: string, text: string): void {
  server.registerResource(
    name,
    `test://${name}`,
    { description: 'A text', mimeType: 'text/plain' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }),
  );
}
