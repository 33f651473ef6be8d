import type { Socket } from 'node:net';
import { randomId } from '@grove/core';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { inRequest } from '../current-request.ts';
import type { Log } from '../log.ts';
import type { McpContext } from '../mcp/context.ts';
import { createMcpServer } from '../mcp/server.ts';
import { LineSplitter } from './lines.ts';
import { isSilent } from './owner-silence.ts';
import type { Upstream, UpstreamEvents } from './upstream.ts';

/** A session with the vault in this process. */
export function localUpstream(context: McpContext, events: UpstreamEvents): Upstream {
  let open = true;
  const transport: Transport = {
    start: async () => {},
    send: async (message: JSONRPCMessage) => {
      if (open) events.onMessage(message, JSON.stringify(message));
    },
    close: async () => {
      transport.onclose?.();
      if (!open) return;
      open = false;
      events.onClose();
    },
  };
  const session = serveStdio(
    ({ era }) => createMcpServer(context, { era, profile: 'notes', lasting: true }),
    {
      transport,
      onerror: (error) => context.log.debug({ err: error }, 'the session reported'),
    },
  );
  return {
    send: (message) => {
      inRequest(randomId(), () => transport.onmessage?.(message));
      return true;
    },
    close: async () => {
      open = false;
      await session.close();
    },
  };
}

/**
 * A session with the owner of the vault over its socket.
 *
 * @param early bytes that came behind the owner's greeting
 * @param address where the owner listens
 */
export function socketUpstream(
  socket: Socket,
  early: Buffer,
  events: UpstreamEvents,
  log: Log,
  address: string,
): Upstream {
  const lines = new LineSplitter();
  let open = true;
  const lost = (): void => {
    if (!open) return;
    open = false;
    socket.destroy();
    events.onClose();
  };
  const read = (chunk: Buffer): void => {
    try {
      for (const line of lines.push(chunk)) {
        if (!open) return;
        events.onMessage(JSON.parse(line) as JSONRPCMessage, line);
      }
    } catch (error) {
      log.warn({ err: error }, 'the owner of the vault sent something else than messages');
      lost();
    }
  };
  socket.on('data', read);
  socket.on('drain', () => events.onDrain());
  socket.on('error', (error) => log.debug({ err: error }, 'the connection to the owner broke'));
  socket.on('end', lost);
  socket.on('close', lost);
  // Not before the caller knows the upstream.
  setImmediate(() => {
    if (early.length > 0) read(early);
    socket.resume();
  });
  return {
    send: (_message, line) => socket.write(`${line}\n`),
    isSilent: () => isSilent(address),
    close: async () => {
      open = false;
      socket.destroySoon();
    },
  };
}
