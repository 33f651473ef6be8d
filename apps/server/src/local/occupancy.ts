import { hostname } from 'node:os';
import { type GroveError, isGroveError } from '@grove/core';
import {
  type GitInsideWish,
  type OpenedVault,
  type OpenOwnedVaultOptions,
  openOwnedVault,
} from '@grove/service';
import type { ViewRules } from '@grove/vault';
import { type AuditBook, CallRecorder } from '../audit/call-recorder.ts';
import type { Log } from '../log.ts';
import type { RuleSources } from '../rule-sources.ts';
import type { HttpAddress, OwnerFacts } from './greeting.ts';
import { keepHeapSmallAfter } from './heap-growth.ts';
import { checkOwnerAddress } from './owner-address.ts';
import { type OwnerServer, serveOwner } from './owner-server.ts';
import { socketAddress } from './run-folder.ts';
import { awaitsSuccessor, clearSuccessor, nameSuccessor } from './succession.ts';
import { trailsOfVault } from './trails-of-vault.ts';

/** One vault as a process wants to serve it. Nothing is read from the environment. */
export interface OccupancyOptions {
  /** The vault's folder, absolute. */
  readonly root: string;
  /** Grove's data folder, absolute. */
  readonly dataDir: string;
  /** The vault's own state folder in it. */
  readonly stateDir: string;
  readonly runtimeDir: string | null;
  readonly kind: OwnerFacts['kind'];
  /** Limits of everyone who comes through this process, bridges included; absent: none. */
  readonly policy?: ViewRules;
  /** Limits of this process's own session. */
  readonly rules: RuleSources;
  readonly poll: boolean | number;
  readonly publicUrl: string | null;
  readonly version: string;
  readonly log: Log;
  /** Where calls are written down, those of other processes too; absent: nowhere. */
  readonly audit?: AuditBook;
  /** Where this process serves HTTP now, for others to be told; absent: nowhere. */
  readonly http?: () => HttpAddress | null;
  /** Gives the vault's folder a `.git` of its own first. */
  readonly gitInside?: GitInsideWish;
  /** Search by meaning, asked for once this process owns the vault; left out: by words alone. */
  readonly embedding?: NonNullable<OpenOwnedVaultOptions['embedding']>;
  /** How the vault is kept level with a git remote; left out: only when asked. */
  readonly sync?: NonNullable<OpenOwnedVaultOptions['sync']>;
  /** Hears of a vault that this process has just opened, before anything is served. */
  readonly onOpened?: (opened: OpenedVault) => void;
}

/** The vault, owned by this process and served to others on its socket. */
export interface Occupancy {
  readonly opened: OpenedVault;
  readonly address: string;
  /** Writes calls down, where there is an audit. */
  readonly recorder: CallRecorder | undefined;
  /** Ends what is served, closes the vault and sets it free. A second call waits for the first. */
  leave(): Promise<void>;
}

/** Another process owns the vault. */
export interface OtherOwner {
  readonly pid: number | string;
  /** Where it listens; null while it is not known. */
  readonly address: string | null;
}

/** How long a process that asked for the vault is given to take it. */
const SUCCESSION_MS = 15_000;

/**
 * Tries once to own the vault.
 *
 * @param onHandOver called before the vault is given to another process; null: it is not given up on request
 * @throws `vault_owned` when the owner lives on another machine, and what opening a vault throws
 */
export async function tryOccupy(
  options: OccupancyOptions,
  onHandOver: (() => Promise<void>) | null,
): Promise<Occupancy | OtherOwner> {
  if (awaitsSuccessor(options.stateDir, Date.now())) return { pid: 'unknown', address: null };
  const address = socketAddress(options.root, options);
  let opened: OpenedVault;
  try {
    opened = await openOwnedVault({
      root: options.root,
      dataDir: options.dataDir,
      // The owner file knows two kinds; over the socket a command says what it is.
      kind: options.kind === 'server' ? 'server' : 'stdio',
      socketPath: address,
      ...(options.policy === undefined ? {} : { policy: options.policy }),
      ...(options.gitInside === undefined ? {} : { gitInside: options.gitInside }),
      ...(options.embedding === undefined ? {} : { embedding: options.embedding }),
      ...(options.sync === undefined ? {} : { sync: options.sync }),
      poll: options.poll,
      trails: (slug) => trailsOfVault(options.dataDir, slug, options.log),
      publicUrl: options.publicUrl,
      onProblem: ({ what, cause }) => options.log.warn({ err: cause }, what),
    });
  } catch (error) {
    if (!isGroveError(error, 'vault_owned')) throw error;
    return otherOwner(error);
  }
  // Whoever opened it hears of an index that cannot be built.
  keepHeapSmallAfter(opened.ready);
  clearSuccessor(options.stateDir);
  options.onOpened?.(opened);
  return await serve(options, opened, address, onHandOver);
}

async function serve(
  options: OccupancyOptions,
  opened: OpenedVault,
  address: string,
  onHandOver: (() => Promise<void>) | null,
): Promise<Occupancy> {
  const recorder = options.audit === undefined ? undefined : new CallRecorder(options.audit, options.log);
  let server: OwnerServer | null = null;
  let left: Promise<void> | null = null;
  const leave = (): Promise<void> => {
    left ??= (async () => {
      await server?.close();
      await recorder?.close();
      await opened.close();
    })();
    return left;
  };
  const handOver = async (pid: number): Promise<void> => {
    nameSuccessor(options.stateDir, pid, SUCCESSION_MS, Date.now());
    await onHandOver?.();
    await leave();
  };
  try {
    const { kind, version, log, http } = options;
    server = await serveOwner({
      opened,
      address,
      kind,
      version,
      log,
      recorder,
      ...(http === undefined ? {} : { http }),
      handOver: onHandOver === null ? null : handOver,
    });
  } catch (error) {
    await opened.close();
    throw error;
  }
  return { opened, address, recorder, leave };
}

function otherOwner(error: GroveError): OtherOwner {
  const { pid, host, socket } = error.data;
  if (typeof host === 'string' && host !== 'unknown' && host !== hostname()) throw error;
  const address = typeof socket === 'string' ? socket : null;
  if (address !== null) checkOwnerAddress(address, { pid, host });
  return { pid: typeof pid === 'number' ? pid : 'unknown', address };
}

/** True when the attempt ended in owning the vault. */
export function isOccupancy(result: Occupancy | OtherOwner): result is Occupancy {
  return 'opened' in result;
}
