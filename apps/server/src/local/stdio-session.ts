import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { GroveError } from '@grove/core';
import { allOperations } from '@grove/service';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { sessionContext } from '../mcp/session-context.ts';
import { compileRules } from '../rule-sources.ts';
import { isOccupancy, type Occupancy, type OccupancyOptions, tryOccupy } from './occupancy.ts';
import { openMcpStream } from './owner-client.ts';
import { waitForEnd } from './process-end.ts';
import { startRelay } from './relay.ts';
import { localUpstream, socketUpstream } from './session-upstream.ts';
import type { ConnectUpstream, Upstream } from './upstream.ts';

/** How long an owner is looked for before the session is given up. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 60;
/** How long an owner that is lost is given to end; one that handed over lives on. */
const END_MS = 500;

/** A stdio session of this process. */
export interface StdioSession {
  /** Resolves when the client has gone; rejects when no owner can be had. */
  readonly done: Promise<void>;
  /** Ends the session and sets the vault free when this process owns it. */
  close(): Promise<void>;
}

/**
 * Serves MCP on two streams, whoever owns the vault: this process when nobody else does, else the owner over its
 * socket. When the owner ends, one of the sessions beside it takes the vault and the others connect to it; none of
 * their clients notices.
 */
export function serveStdioSession(
  options: OccupancyOptions & { readonly input: Readable; readonly output: Writable },
): StdioSession {
  let occupancy: Occupancy | null = null;
  let closing = false;
  let lostOwner: number | null = null;
  const rules = compileRules(options.rules);
  const { log } = options;

  const connect: ConnectUpstream = async (events) => {
    const deadline = Date.now() + PATIENCE_MS;
    if (lostOwner !== null) await waitForEnd(lostOwner, END_MS);
    lostOwner = null;
    for (;;) {
      let own: Upstream | null = null;
      const result = await tryOccupy(options, async () => {
        // The relay notices, and waits for the successor like every bridge.
        occupancy = null;
        const upstream = own;
        own = null;
        await upstream?.close();
        events.onClose();
      });
      if (isOccupancy(result)) {
        occupancy = result;
        if (closing) {
          await result.leave();
          throw new GroveError('vault_owned', { pid: process.pid, host: 'this machine' });
        }
        const { opened, recorder } = result;
        const context = sessionContext({ opened, version: options.version, log, recorder }, rules);
        own = localUpstream(context, events);
        return own;
      }
      const { address } = result;
      const stream = address === null ? null : await openMcpStream(address, options.rules);
      if (stream !== null && address !== null) {
        lostOwner = stream.owner.pid;
        log.info({ owner: stream.owner.pid }, 'another process owns the vault; going through it');
        return socketUpstream(stream.socket, stream.early, events, log, address);
      }
      if (closing || Date.now() > deadline)
        throw new GroveError('vault_owned', { pid: result.pid, host: 'this machine' });
      await sleep(PAUSE_MS + Math.random() * PAUSE_MS);
    }
  };

  const relay = startRelay({ input: options.input, output: options.output, connect, repeatable, log });
  const leave = async (): Promise<void> => {
    closing = true;
    await relay.close();
    await occupancy?.leave();
  };
  const done = relay.done.then(leave, async (error: unknown) => {
    await leave();
    throw error;
  });
  done.catch(() => {});
  return { done, close: leave };
}

/** Everything but a call of a tool that changes something, or that may: its hints say which do. */
export function repeatable(request: JSONRPCRequest): boolean {
  if (request.method !== 'tools/call') return true;
  const tool = allOperations.find(({ name }) => name === request.params?.name);
  return tool?.hints.readOnlyHint === true;
}
