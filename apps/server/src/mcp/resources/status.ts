import { vaultStatus } from '@grove/service';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { STATUS_URI } from './note-uri.ts';
import { toldErrors } from './told-errors.ts';
import { watched } from './watched.ts';

/** `vault://status`: health of the vault, as vault_status gives it. */
export function registerStatusResource(server: McpServer, context: McpContext): void {
  const { scope, log } = context;
  const tell = watched(context, 'resources/read', () =>
    vaultStatus.run(scope, vaultStatus.parse({ mode: 'health' })),
  );
  server.registerResource(
    'status',
    STATUS_URI,
    { title: 'Status', description: 'Health of the vault and its index.', mimeType: 'text/markdown' },
    toldErrors(log, async (uri: URL) => {
      const answer = await tell();
      return {
        contents: [
          { uri: uri.href, mimeType: 'text/markdown', text: vaultStatus.present(answer) },
          { uri: uri.href, mimeType: 'application/json', text: JSON.stringify(answer) },
        ],
      };
    }),
  );
}
