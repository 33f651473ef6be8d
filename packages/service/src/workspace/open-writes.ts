import { type Clock, errorCode, isGroveError, type VaultPath, type WriteFs } from '@grove/core';
import type { GitLocation, History } from '@grove/history';
import { type TrailRules, trailViewRules } from '@grove/trails';
import { NO_RULES, type Vault } from '@grove/vault';
import {
  Confirmations,
  type Discovery,
  type NoteWrites,
  type OpenEngineOptions,
  openNoteWrites,
  openWriteEngine,
  type WriteEngine,
} from '@grove/writes';
import type { VaultWrites } from '../contract.ts';
import type { OpenOwnedVaultOptions } from './opened-vault.ts';
import { openWriteSwitch, type WriteSwitch } from './write-switch.ts';

/** How notes of one vault are changed, from before its first scan to its end. */
export interface OpenedWrites {
  /** For every caller's scope: what it says changes with the switch. */
  readonly state: VaultWrites;
  readonly switch: WriteSwitch;
  /** Deletions that wait for a yes; those of a vault that is no longer written are cancelled. */
  readonly confirmations: Confirmations;
  /** Null when the vault cannot be written. */
  readonly engine: WriteEngine | null;
  /** Lets written notes be found before their answer goes out, from now on. */
  attach(vault: Vault): void;
  /** A second call waits for the first. */
  close(): Promise<void>;
}

export interface OpenWritesOptions {
  readonly root: string;
  readonly stateDir: string;
  /** Null when the vault's history cannot be opened; `problem` says why. */
  readonly repository: GitLocation | null;
  readonly problem: string | null;
  /** Hears of commits at once, so that times are right before the answer. */
  readonly history: History | null;
  readonly clock: Clock;
  readonly onProblem: OpenOwnedVaultOptions['onProblem'];
  readonly fs?: WriteFs | undefined;
  /** True where the process lets nobody write. */
  readonly readOnly: boolean;
  /** Which names are words like others; from when it can be told on. */
  readonly names: Pick<Discovery, 'isCommon' | 'ready'>;
  /** See {@link OpenOwnedVaultOptions.trails}. */
  readonly trails: () => readonly TrailRules[] | null;
}

/**
 * Opens the write engine, which first finishes or undoes what a crash left behind. A vault that cannot be written is
 * still read: what keeps it from that is told in `state.problem`.
 */
export async function openWrites(options: OpenWritesOptions): Promise<OpenedWrites> {
  const { clock, onProblem } = options;
  const attached: { vault: Vault | null } = { vault: null };
  const ending: { closed: Promise<void> | null } = { closed: null };
  const writeSwitch = await openWriteSwitch(options.stateDir);
  const confirmations = new Confirmations(clock);
  writeSwitch.onChange((on) => {
    if (!on) confirmations.clear('writing was switched off meanwhile');
  });
  const { engine, problem } = await openEngine(options, async (paths, made) => {
    await publish(attached.vault, paths);
    await (made === null ? options.history?.refresh() : options.history?.foresee(made));
  });
  const notes: NoteWrites | null =
    engine === null || options.repository === null
      ? null
      : openNoteWrites({
          engine,
          clock,
          zone: () => attached.vault?.zone ?? 'utc',
          schema: () => attached.vault?.schema ?? NO_RULES,
          deletePolicy: () => attached.vault?.deletes ?? 'confirm',
          confirmations,
          discovery: {
            ...options.names,
            setting: () => attached.vault?.discovery ?? 'off',
            mayChange: () => writeSwitch.on && !options.readOnly,
            trailViews: () => trailViews(attached.vault, options.trails),
            onProblem: (cause) => onProblem?.({ what: 'discovery', cause }),
          },
          ground: {
            root: options.root,
            location: options.repository,
            ownerView: () => attached.vault?.ownerView() ?? null,
            reconcile: async () => attached.vault?.reconcile(),
          },
        });
  // Links that a move left behind when it was cut off are mended once notes may be changed, and are all known.
  const finish = async (): Promise<void> => {
    const { vault } = attached;
    // What keeps the vault from being read is told elsewhere.
    const isRead =
      vault !== null &&
      (await vault.ready.then(
        () => true,
        () => false,
      ));
    try {
      if (isRead && writeSwitch.on) await notes?.finish();
    } catch (cause) {
      // A process that ends leaves it to the next one.
      if (errorCode(cause) !== 'stopping') onProblem?.({ what: 'writes: links of a moved note', cause });
    }
  };
  writeSwitch.onChange(() => void finish());
  return {
    switch: writeSwitch,
    confirmations,
    engine,
    state: {
      get on() {
        return writeSwitch.on;
      },
      notes,
      problem,
      get lacksLinks() {
        return engine?.lacksLinks ?? false;
      },
      queue: () => engine?.queue() ?? null,
    },
    attach: (vault) => {
      attached.vault = vault;
      void finish();
      vault.onDelta(async ({ upserted, removed }) => {
        for (const { path, contentHash } of upserted) confirmations.noteIs(path, contentHash);
        for (const { path } of removed) confirmations.noteIs(path, null);
      });
    },
    close: () => {
      const closed = ending.closed ?? end();
      ending.closed = closed;
      return closed;
    },
  };

  async function end(): Promise<void> {
    await notes?.end();
    await engine?.close();
  }

  async function openEngine(
    { root, stateDir, repository, problem: known, history }: OpenWritesOptions,
    published: OpenEngineOptions['published'],
  ): Promise<{ readonly engine: WriteEngine | null; readonly problem: string | null }> {
    if (repository === null) return { engine: null, problem: known ?? 'its history cannot be opened.' };
    try {
      const opened = await openWriteEngine({
        root,
        stateDir,
        location: repository,
        store: history?.store,
        clock,
        published,
        ...(options.fs === undefined ? {} : { fs: options.fs }),
        onProblem: ({ what, message, cause }) =>
          onProblem?.({ what: `writes: ${what}`, cause: cause ?? new Error(message) }),
      });
      return { engine: opened, problem: await opened.problem() };
    } catch (error) {
      // A disk that may only be read is a reason not to write, and none not to read.
      const code = errorCode(error);
      if (code === undefined) throw error;
      onProblem?.({ what: 'writes', cause: error });
      const problem = isGroveError(error)
        ? error.message
        : `Its history or its state cannot be written (${code}).`;
      return { engine: null, problem };
    }
  }
}

function trailViews(
  vault: Vault | null,
  trails: OpenWritesOptions['trails'],
): ReturnType<Discovery['trailViews']> {
  const rules = trails();
  return vault === null || rules === null ? null : rules.map((each) => vault.view(trailViewRules(each)));
}

/** The catalog knows a note by the spelling of the disk, which may be another form of the same name. */
async function publish(vault: Vault | null, paths: readonly VaultPath[]): Promise<void> {
  if (vault === null) return;
  const view = vault.ownerView();
  await vault.reconcile(paths.map((path) => view.get(path)?.diskPath ?? path));
}
