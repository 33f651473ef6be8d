import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';

/** Between two notifications, so that a client has to read a stream. */
const BETWEEN_MS = 50;

const DONE: CallToolResult = { content: [{ type: 'text', text: 'Done.' }] };

/** Tools that tell of their work while they do it, and one that fails. */
export function registerReportingTools(server: McpServer): void {
  server.registerTool('test_tool_with_logging', { description: 'Logs three messages' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'Tool execution started');
    await sleep(BETWEEN_MS);
    await ctx.mcpReq.log('info', 'Tool processing data');
    await sleep(BETWEEN_MS);
    await ctx.mcpReq.log('info', 'Tool execution completed');
    return DONE;
  });
  server.registerTool('test_logging_tool', { description: 'Logs one message' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'Only a request that names a level is told this');
    return DONE;
  });
  server.registerTool('test_tool_with_progress', { description: 'Tells of its progress' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      if (progress < 100) await sleep(BETWEEN_MS);
    }
    return DONE;
  });
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'test_reconnection',
    { description: 'Ends its stream, where streams can be taken up again, before it answers' },
    async (ctx) => {
      ctx.http?.closeSSE?.();
      await sleep(BETWEEN_MS);
      return DONE;
    },
  );
}
