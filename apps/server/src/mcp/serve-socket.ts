import type { Duplex } from 'node:stream';
import type { ViewRules } from '@grove/vault';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { LineTransport } from './line-transport.ts';
import { createMcpServer } from './server.ts';
import { type SessionProcess, sessionContext } from './session-context.ts';

/**
 * Serves one MCP session on a stream, within the rules of the process at its other end.
 *
 * @param early bytes of the session that were read already
 */
export function serveSocket(
  stream: Duplex,
  early: Buffer,
  process: SessionProcess,
  rules: ViewRules,
): StdioServerHandle {
  const context = sessionContext(process, rules);
  return serveStdio(({ era }) => createMcpServer(context, { era, profile: 'notes', lasting: true }), {
    transport: new LineTransport(stream, early),
    onerror: (error) => process.log.debug({ err: error }, 'a local session reported'),
  });
}
