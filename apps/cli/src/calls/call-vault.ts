import { setTimeout as sleep } from 'node:timers/promises';
import { GroveError } from '@grove/core';
import {
  callOwner,
  compileRules,
  isOccupancy,
  type Occupancy,
  type OccupancyOptions,
  type OtherOwner,
  rulesOrNone,
  tryOccupy,
} from '@grove/server';
import {
  type AskPerson,
  type Embedding,
  type OpenedVault,
  type Operation,
  query,
  vaultStatus,
  writeNote,
} from '@grove/service';
import { type ProcessEmbedding, processEmbedding } from '../embedding/process-embedding.ts';
import type { CommonOptions, Run } from '../run.ts';
import { verbLog } from '../terminal/run-log.ts';
import { dataDirOf, occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';
import { callConfirmed, type OwnerCall } from './call-confirmed.ts';

/** How long a vault that is changing hands is waited for. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 100;
/** How long a command waits for times from git; a longer history goes on where this run left it. */
const HISTORY_PATIENCE_MS = 3_000;

/**
 * Runs one operation on the vault of this run: in the process that owns it when there is one, else here, owning the
 * vault for the moment.
 *
 * @param ask asks whoever sits at the terminal before notes go, where the vault wants that; null asks nobody
 */
export async function callVault<Input, Output>(
  run: Run,
  options: CommonOptions,
  operation: Operation<Input, Output>,
  input: Readonly<Record<string, unknown>>,
  ask: AskPerson | null = null,
): Promise<Output> {
  const vault = await vaultOf(run, options);
  const embedding = embeddingOf(run, options, operation.name, input);
  const occupancy: OccupancyOptions = {
    ...occupancyOptions(run, options, vault, 'cli', verbLog(run)),
    ...(embedding === null ? {} : { embedding: embedding.open }),
  };
  const done = throughOwner(
    occupancy,
    async (opened) => {
      const scope = opened.scope(OWNER, rulesOrNone(compileRules(occupancy.rules)), {
        scopes: ['write'],
      });
      const parsed = operation.parse(input);
      // An index that cannot be built keeps nobody from reading; a search says so itself.
      await opened.ready.catch(() => {});
      await Promise.race([opened.historyRead, sleep(HISTORY_PATIENCE_MS, undefined, { ref: false })]);
      return await operation.run({ ...scope, confirm: ask }, parsed);
    },
    async (address) => {
      const call: OwnerCall = async (name, fields) =>
        await callOwner(address, { operation: name, input: fields, rules: occupancy.rules });
      const answer = await callConfirmed(call, operation.name, input, ask);
      return answer === null ? null : { output: answer.output as Output };
    },
  );
  return await done.finally(() => embedding?.close());
}

/** A process of one call embeds nothing but what the call waits for; most calls do not look at vectors at all. */
function embeddingOf(
  run: Run,
  options: CommonOptions,
  operation: string,
  input: Readonly<Record<string, unknown>>,
): ProcessEmbedding | null {
  const open = (embeds: Embedding['embeds']) =>
    processEmbedding(run.settings.embedder, dataDirOf(run, options), embeds);
  if (operation === query.name || operation === vaultStatus.name) return open('never');
  return operation === writeNote.name && input.wait === 'embedded' ? open('when-awaited') : null;
}

/** The principal of whoever sits at the command line. */
export const OWNER = { kind: 'owner', id: 'owner', name: 'owner' } as const;

/**
 * Does something with a vault, here or in the process that owns it.
 *
 * @param here with the vault open in this process, which is left afterwards
 * @param there with the owner's address; null when nobody listens there
 * @throws `vault_owned` when an owner is there and does not listen
 */
export async function throughOwner<Output>(
  options: OccupancyOptions,
  here: (opened: OpenedVault) => Promise<Output>,
  there: (address: string) => Promise<{ readonly output: Output } | null>,
): Promise<Output> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const result: Occupancy | OtherOwner = await tryOccupy(options, null);
    if (isOccupancy(result)) {
      try {
        return await here(result.opened);
      } finally {
        await result.leave();
      }
    }
    const answer = result.address === null ? null : await there(result.address);
    if (answer !== null) return answer.output;
    if (Date.now() > deadline) throw new GroveError('vault_owned', { pid: result.pid, host: 'this machine' });
    await sleep(PAUSE_MS);
  }
}
