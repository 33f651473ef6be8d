import { mkdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Clock, systemClock } from '@grove/core';
import { OpenVault } from './opened/opened-vault.ts';
import { realRootOf } from './state/locate-state.ts';
import type { GitTimes } from './times.ts';
import type { Vault } from './vault.ts';
import type { ViewRules } from './view.ts';
import { allowAll } from './views/path-rule.ts';

/** What a vault is opened with. */
export interface OpenVaultOptions {
  /** The folder of notes. */
  readonly root: string;
  /** The vault's own state folder; the catalog lies in `index/` below it. Made when it is not there. */
  readonly stateDir: string;
  readonly slug: string;
  /** The git dir of the vault's history, for noticing that HEAD moved; null when there is none. */
  readonly gitDir: string | null;
  readonly times: GitTimes;
  readonly clock?: Clock;
  /** What this process lets anyone see, on top of which every View is compiled. */
  readonly policy?: ViewRules;
  /** True: sweep the folder and use no events. A number: the least milliseconds between two sweeps. */
  readonly poll?: boolean | number;
  /** Larger files are no notes; 5 MB unless told. */
  readonly maxNoteBytes?: number;
  /** How long the first delta waits for a first listener, in milliseconds; 300 unless told. */
  readonly listenerGraceMs?: number;
}

/** Larger notes would hold up parsing and exceed any answer many times over. */
const MAX_NOTE_BYTES = 5 * 1024 * 1024;
const LISTENER_GRACE_MS = 300;

/**
 * Opens a folder of notes. It answers from the catalog at once; the first sweep begins afterwards and
 * `ready` resolves when it is done. Throws `vault_missing` when the folder is not there, and
 * `vault_not_a_folder`.
 *
 * @example
 * const { slug, stateDir } = await locateState(dataDir, root);
 * const vault = await openVault({ root, stateDir, slug, gitDir: null, times: noGitTimes });
 */
export async function openVault(options: OpenVaultOptions): Promise<Vault> {
  const root = await realRootOf(options.root);
  await mkdir(options.stateDir, { recursive: true });
  return await OpenVault.open({
    root,
    name: basename(root).normalize('NFC'),
    stateDir: options.stateDir,
    slug: options.slug,
    gitDir: options.gitDir,
    times: options.times,
    clock: options.clock ?? systemClock,
    policy: options.policy ?? allowAll,
    poll: options.poll ?? false,
    maxBytes: options.maxNoteBytes ?? MAX_NOTE_BYTES,
    listenerGraceMs: options.listenerGraceMs ?? LISTENER_GRACE_MS,
  });
}
