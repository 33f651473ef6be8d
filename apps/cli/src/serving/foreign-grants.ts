import type { Control } from '@grove/access';
import type { Run } from '../run.ts';
import type { ServerSettings } from '../settings/settings.ts';

/**
 * Ends what clients were let in to by OAuth under another public address, and says so: their tokens are not for this one.
 * A start without a public address, to try something on this machine, ends nothing.
 */
export function endForeignGrants(
  run: Pick<Run, 'stderr'>,
  { grants }: Pick<Control, 'grants'>,
  { publicUrl }: Pick<ServerSettings, 'publicUrl'>,
): void {
  if (publicUrl === null) return;
  const clients = [...new Set(grants.revokeForeign().map(({ clientName }) => clientName))];
  if (clients.length === 0) return;
  run.stderr.write(
    `The public address is another one now (${publicUrl}). Connect once more: ${clients.join(', ')}\n`,
  );
}
