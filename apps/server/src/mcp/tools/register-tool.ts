import { type AnyOperation, answerCall, type Scope } from '@grove/service';
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ProtocolEra,
  ServerContext,
} from '@modelcontextprotocol/server';
import { reportFault } from '../../report-fault.ts';
import type { McpContext } from '../context.ts';
import { askByResult, type QuestionByResult } from '../elicitation/ask-by-result.ts';
import { askInSession } from '../elicitation/ask-in-session.ts';
import { canAsk } from '../elicitation/can-ask.ts';
import { advertisedSchema } from './advertised-schema.ts';
import { clientName } from './client-name.ts';

/**
 * Offers one operation as a tool: its own schemas, title and four hints; the text block is what `present` makes of
 * the answer and `structuredContent` the whole of it, in errors too. What changes notes may ask the client's person.
 */
export function registerTool(
  server: McpServer,
  context: McpContext,
  operation: AnyOperation,
  era: ProtocolEra,
): void {
  server.registerTool(
    operation.name,
    {
      title: operation.title,
      description: operation.description,
      inputSchema: advertisedSchema(() => operation.inputSchema),
      outputSchema: advertisedSchema(() => operation.outputSchema),
      annotations: { title: operation.title, ...operation.hints },
    },
    async (input: unknown, ctx: ServerContext): Promise<CallToolResult | InputRequiredResult> => {
      const asks = !operation.hints.readOnlyHint && canAsk(server, ctx, era);
      const own = scopeOf(server, context);
      const byResult = asks && era === 'modern' ? askByResult(own, ctx) : null;
      const scope = asks ? { ...own, confirm: byResult?.ask ?? askInSession(own, ctx) } : own;
      const begin = performance.now();
      const report = reportFault(context.log, 'a call failed', { tool: operation.name });
      const answer = await answerCall(letIn(operation, context, ctx), scope, input ?? {}, report);
      const ended = {
        tool: operation.name,
        outcome: answer.error?.code ?? 'ok',
        ms: performance.now() - begin,
      };
      context.log.info({ ...ended, ms: Math.round(ended.ms * 100) / 100 }, 'called');
      context.calls?.ended({
        ...ended,
        search: { operation: operation.name, input, output: answer.structured },
      });
      return (
        questionOf(answer, byResult) ?? {
          content: [{ type: 'text', text: answer.text }],
          structuredContent: { ...answer.structured },
          ...(answer.error === null ? {} : { isError: true }),
        }
      );
    },
  );
}

/** The operation as this caller calls it: within its limits, and once there is an index to search. */
function letIn(operation: AnyOperation, context: McpContext, { http }: ServerContext): AnyOperation {
  const run: AnyOperation['run'] = async (scope, input) => {
    await context.calls?.admit(operation, input, http?.req);
    if (operation.name !== 'vault_status') await context.indexed();
    return await operation.run(scope, input);
  };
  // Not copied, which would make its schemas.
  return Object.assign(Object.create(operation) as AnyOperation, { run });
}

/** The question that a call ended with, in the place of the refusal that it would be without. */
function questionOf(
  { error }: Awaited<ReturnType<typeof answerCall>>,
  byResult: QuestionByResult | null,
): InputRequiredResult | null {
  return error?.code === 'confirmation_needed' ? (byResult?.result() ?? null) : null;
}

/** The caller's scope, with the name of the program that it comes with where the session knows it. */
function scopeOf(server: McpServer, { scope }: McpContext): Scope {
  const client = clientName(server.server.getClientVersion());
  return client === null ? scope : { ...scope, principal: { ...scope.principal, client } };
}
