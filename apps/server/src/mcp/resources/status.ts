import { answerCall, vaultStatus } from '@grove/service';
import type { McpServer } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { answerContents } from './answer-contents.ts';

/** `vault://status`: health of the vault, as vault_status gives it. */
export function registerStatusResource(server: McpServer, context: McpContext): void {
  server.registerResource(
    'status',
    'vault://status',
    { title: 'Status', description: 'Health of the vault and its index.', mimeType: 'text/markdown' },
    async (uri) => answerContents(uri, await answerCall(vaultStatus, context.scope, { mode: 'health' })),
  );
}
