import { createRequestStateCodec, McpServer, type ProtocolEra } from '@modelcontextprotocol/server';
import { registerInputRequired } from './input-required.ts';
import { registerPrompts } from './prompts.ts';
import { registerRequestStates } from './request-states.ts';
import { registerResources } from './resources.ts';
import { registerAskingTools } from './tools-asking.ts';
import { registerContentTools } from './tools-content.ts';
import { registerReportingTools } from './tools-reporting.ts';
import { registerSchemaTools } from './tools-schemas.ts';

/** One key for all servers: on 2026-07-28 each round of a flow is served by a server of its own. */
const STATE_KEY = 'request states of the conformance fixture, which guard nothing';

/**
 * A server that has what the scenarios of the conformance suite call for, and nothing of Grove: served by the
 * production HTTP stack, it shows that the stack carries the whole protocol. Serves either era.
 *
 * @example buildApp({ …, createMcp: (_, { era }) => createFixtureServer(era) })
 */
export function createFixtureServer(era: ProtocolEra): McpServer {
  const states = createRequestStateCodec<number>({ key: STATE_KEY });
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      // The lists never change, so there is nothing to tell of.
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
    },
  );
  registerContentTools(server);
  registerReportingTools(server);
  registerSchemaTools(server);
  registerAskingTools(server);
  registerInputRequired(server);
  registerRequestStates(server, states);
  registerResources(server, era);
  registerPrompts(server);
  return server;
}
