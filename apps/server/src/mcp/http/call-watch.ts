import type { FastifyInstance } from 'fastify';
import { currentRequestId } from '../../current-request.ts';
import type { Caller } from '../../http/caller.ts';
import { operationsIn } from '../../plugins/limits/operations-in.ts';
import type { CallWatch } from '../context.ts';
import type { WebRequests } from './web-request.ts';

/** Keeps the calls of a caller within its limits, counts them, and has them written down. */
export function callWatch(app: FastifyInstance, requests: WebRequests, caller: Caller): CallWatch {
  return {
    admit: async (operation, input, http) => {
      const request = requests.originOf(http);
      // Nothing is let in unseen.
      if (request === null) throw new Error(`${operation.name} was called by no request`);
      await request.admit(operation.hints.readOnlyHint ? 'read' : 'write', operationsIn(input));
    },
    ended: (call) => app.recordCall({ caller, via: 'mcp', requestId: currentRequestId(), ...call }),
  };
}
