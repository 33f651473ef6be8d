import { vaultStatus } from '@grove/service';
import { callVault } from '../calls/call-vault.ts';
import { type Check, note, ok, problem } from './finding.ts';

/** The catalog and the search index, as the vault's health tells of them. */
export const index: Check = {
  name: 'Index',
  run: async ({ run, vault, dataDir }) => {
    if (vault === null) return note('no vault is known yet');
    const health = await callVault(run, { vault: [vault.root], data: dataDir }, vaultStatus, {
      mode: 'health',
    });
    const { state, problem: what, notes } = health;
    if (what !== null && what !== undefined) return problem(String(what), 'Run "grove reindex".');
    return ok(`${state}: ${notes} notes`);
  },
};
