import { healthOf, vaultStatus } from '@grove/service';
import { callVault } from '../calls/call-vault.ts';
import { type Check, note, ok, type VaultSubject } from './finding.ts';

/** Whether the git dir is kept small. */
export const gitSize: Check<VaultSubject> = {
  name: 'Git dir',
  run: async ({ run, vault, dataDir }) => {
    const { git_dir: found } = healthOf(
      await callVault(run, { vault: [vault.root], data: dataDir }, vaultStatus, { mode: 'health' }),
    );
    if (found === undefined)
      return note('not looked at: the history cannot be written, or rules hide a part of the vault');
    const { loose_objects, packs, bytes, maintenance, due, problem } = found;
    const counted = `${(bytes / 1e6).toFixed(1)} MB, ${loose_objects} loose objects, ${packs} packs`;
    if (problem !== undefined) return note(`${counted}; the last packing was not done: ${problem}`);
    if (!due) return ok(counted);
    return note(
      maintenance
        ? `${counted}; a running server packs them at the next quiet moment, "grove maintain" now`
        : `${counted}; "grove maintain" packs them`,
    );
  },
};
