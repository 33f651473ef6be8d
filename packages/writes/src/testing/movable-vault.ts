import { systemClock } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '@grove/history';
import { allowAll, noGitTimes, openVault, parsePathRule, type Vault, type ViewRules } from '@grove/vault';
import { Confirmations } from '../confirmations/confirmations.ts';
import type { Discovery } from '../discovery/contract.ts';
import { openWriteEngine } from '../engine/open-engine.ts';
import type { StepListener } from '../engine/steps.ts';
import type { NoteOperation } from '../notes/contract.ts';
import { type NoteWrites, openNoteWrites } from '../notes/note-writes.ts';
import { operation } from '../notes/testing/operation.ts';
import { compileWritePolicy } from '../notes/write-policy.ts';

/** A vault with its engine and its catalog, and someone who sees only the folder `Open`. */
export interface MovableVault {
  readonly vault: Vault;
  readonly writes: NoteWrites;
  /** Moves a note in the name of the one who sees little. */
  move(path: string, to: string): Promise<void>;
  /** Makes a note in the name of who sees all, or of the one who sees little. */
  make(path: string, content: string, sees: 'all' | 'little'): Promise<void>;
  close(): Promise<void>;
}

const NARROW: ViewRules = { ...allowAll, readPaths: [parsePathRule('Open')] };

/** Opens a repository's folder as a vault; `step` hears of the engine's steps. */
export async function openMovable(
  root: string,
  stateDir: string,
  step?: StepListener,
): Promise<MovableVault> {
  const location = (await locateGitDir(root))!;
  let known: Vault | null = null;
  const engine = await openWriteEngine(
    {
      root,
      stateDir,
      location,
      clock: systemClock,
      userSettings: NO_USER_SETTINGS,
      published: async (paths) => known?.reconcile(paths),
    },
    step === undefined ? {} : { step },
  );
  const vault = await openVault({
    root,
    stateDir,
    slug: 'movable',
    gitDir: location.gitDir,
    times: noGitTimes,
    clock: systemClock,
  });
  known = vault;
  await vault.ready;
  const discovery: Discovery = {
    setting: () => vault.discovery,
    mayChange: () => true,
    isCommon: async () => false,
    ready: async () => {},
    trailViews: () => [],
    onProblem: (cause) => {
      throw cause;
    },
  };
  const writes = openNoteWrites({
    engine,
    clock: systemClock,
    zone: () => 'utc',
    schema: () => vault.schema,
    deletePolicy: () => 'trash',
    confirmations: new Confirmations(systemClock),
    discovery,
    ground: { root, location, ownerView: () => vault.ownerView(), reconcile: () => vault.reconcile() },
  });
  const change = async (fields: Partial<NoteOperation>, rules: ViewRules | null): Promise<void> => {
    await writes.write(
      {
        view: rules === null ? vault.ownerView() : vault.view(rules),
        author: { kind: 'key', id: 'k1', name: 'Narrow', client: null },
        may: { read: true, append: true, write: true },
        policy: compileWritePolicy([rules ?? allowAll], rules === null),
        confirm: null,
        nearest: () => [],
      },
      {
        operations: [operation(fields)],
        batch: false,
        atomic: false,
        dryRun: false,
        merge: true,
        idempotencyKey: null,
      },
    );
  };
  return {
    vault,
    writes,
    move: (path, to) => change({ action: 'move', path, to, ifHash: '*' }, NARROW),
    make: (path, content, sees) => change({ action: 'write', path, content }, sees === 'all' ? null : NARROW),
    close: async () => {
      await writes.end();
      await engine.close();
      await vault.close();
    },
  };
}
