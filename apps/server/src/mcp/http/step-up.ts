import { grants } from '@grove/access';
import { GroveError } from '@grove/core';
import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { Caller } from '../../http/caller.ts';

/** The tool that writes. */
const WRITING = 'write_note';

/**
 * Throws `scope_missing`, which leads an OAuth client to ask for more, when it calls the tool that writes and never asked
 * to. Who asked and was given less is told by the tool instead: it would ask, and be given less, for ever.
 */
export function requireAsked({ askedToWrite, scopes }: Caller, body: unknown): void {
  if (askedToWrite || grants(scopes, 'append') || !isJSONRPCRequest(body)) return;
  if (body.method !== 'tools/call' || body.params?.name !== WRITING) return;
  throw new GroveError(
    'scope_missing',
    { scope: 'vault:read vault:write' },
    { hint: 'Connect once more and ask for that scope; the owner of the notes decides.' },
  );
}
