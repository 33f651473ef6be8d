import { askOwner, isOccupancy, tryOccupy } from '@grove/server';
import { type Check, ok, problem, type VaultSubject } from './finding.ts';

/** Who owns the vault, and whether that process answers on its socket. */
export const owner: Check<VaultSubject> = {
  name: 'Owner and socket',
  run: async ({ vault }) => {
    const result = await tryOccupy(vault, null);
    if (isOccupancy(result)) {
      const facts = await askOwner(result.address);
      await result.leave();
      return facts === null
        ? problem(
            `nothing answers at ${result.address}`,
            'Check that local sockets are allowed in that folder.',
          )
        : ok('free; a socket can be served');
    }
    const facts = result.address === null ? null : await askOwner(result.address);
    if (facts === null)
      return problem(
        `process ${result.pid} owns the vault and does not answer`,
        'Wait a moment and run grove doctor again; when it stays so, stop that process.',
      );
    return ok(`owned by a ${facts.kind} process (pid ${facts.pid}), which answers`);
  },
};
