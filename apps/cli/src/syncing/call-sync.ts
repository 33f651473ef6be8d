import { callOwner, compileRules, rulesOrNone } from '@grove/server';
import { type SyncAnswer, syncVault } from '@grove/service';
import { OWNER, throughOwner } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { readSync } from '../settings/read-sync.ts';
import { verbLog } from '../terminal/run-log.ts';
import { occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';
import { syncWish } from './sync-wish.ts';

type Ask = (input: Readonly<Record<string, unknown>>) => Promise<SyncAnswer>;

/**
 * Asks about sync, or for it: in the process that owns the vault when there is one, else here. Of a run the end is
 * waited for, however long it takes.
 */
export async function callSync(
  run: Run,
  options: CommonOptions,
  input: Readonly<Record<string, unknown>>,
): Promise<SyncAnswer> {
  const vault = await vaultOf(run, options);
  const occupancy = {
    ...occupancyOptions(run, options, vault, 'cli', verbLog(run)),
    sync: syncWish(await readSync(run), { byItself: false }),
  };
  const { rules } = occupancy;
  return await throughOwner(
    occupancy,
    async (opened) => {
      await opened.ready.catch(() => {});
      const scope = opened.scope(OWNER, rulesOrNone(compileRules(rules)), { scopes: ['write'] });
      return await toTheEnd(input, (each) => syncVault.run(scope, syncVault.parse(each)));
    },
    async (address) => {
      let isGone = false;
      const answer = await toTheEnd(input, async (each) => {
        const called = await callOwner(address, { operation: syncVault.name, input: each, rules });
        isGone = called === null;
        return called?.output as SyncAnswer;
      });
      return isGone ? null : { output: answer };
    },
  );
}

async function toTheEnd(input: Readonly<Record<string, unknown>>, ask: Ask): Promise<SyncAnswer> {
  let answer = await ask(input);
  if (input.action !== 'now') return answer;
  while (answer?.run === undefined && answer?.sync.state === 'running')
    answer = await ask({ action: 'wait' });
  return answer;
}
