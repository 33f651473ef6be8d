import { createHash } from 'node:crypto';
import type { EngineRequest } from '../engine/contract.ts';
import type { NoteOperation, NoteWriteRequest } from './contract.ts';

/** What tells a retry of the whole call from another one, or of one operation of a batch; null where nothing does. */
export function idempotencyOf(
  { idempotencyKey, dryRun, batch, atomic, operations }: NoteWriteRequest,
  op: number | null,
): EngineRequest['idempotency'] {
  if (idempotencyKey === null || dryRun) return null;
  const asked = operations.map(asAsked);
  const body = op === null ? [batch, atomic, asked] : [asked[op]];
  return {
    key: op === null ? idempotencyKey : `${idempotencyKey}#${op}`,
    bodyHash: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
  };
}

/** Without what a revision names by now, which may be another commit when the call is made again. */
function asAsked(operation: NoteOperation): object {
  const { from } = operation;
  return from === null || 'batch' in from ? operation : { ...operation, from: { revision: from.revision } };
}
