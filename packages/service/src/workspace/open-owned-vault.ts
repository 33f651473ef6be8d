import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { GroveError, isGroveError, systemClock } from '@grove/core';
import { type GitLocation, type History, initGitDir, openHistory } from '@grove/history';
import { openSearch, type VaultSearch } from '@grove/search';
import {
  allowAll,
  noGitTimes,
  type Ownership,
  openVault,
  readableBy,
  type Vault,
  type View,
  type ViewRules,
} from '@grove/vault';
import {
  compileWritePolicy,
  openTrustedWords,
  type ReadTrustedWords,
  revertKey,
  undoDiscovery,
  VaultTrash,
  type WritePolicy,
  type WriteRights,
} from '@grove/writes';
import { openAutocommit } from '../autocommit/autocommit.ts';
import type { AccessScope, HistoryHealth, Principal, Scope, VaultPast } from '../contract.ts';
import { CommonNames } from '../discovery/common-names.ts';
import { openEmbedding } from '../embedding/open-embedding.ts';
import { PatternVerdicts } from '../filters/logic/pattern-verdicts.ts';
import { PropertyCache } from '../filters/property-cache.ts';
import { TextAnswers } from '../filters/text-question.ts';
import { type GitInsideOutcome, type GitInsideWish, putGitInside } from '../git-inside/git-inside.ts';
import { openMaintenance } from '../maintenance/maintenance.ts';
import { noteTypes } from '../preview/note-types.ts';
import { previewTrail } from '../preview/preview.ts';
import { NO_SYNC, openSync } from '../sync/open-sync.ts';
import { collectHealth } from '../vault-status/health.ts';
import { type Closing, openClosing } from './closing.ts';
import { readCursorKey } from './cursor-key.ts';
import { fileCheck } from './file-check.ts';
import { locateVault, type VaultLocation } from './locate-vault.ts';
import { openWrites } from './open-writes.ts';
import type { Access, OpenedVault, OpenOwnedVaultOptions } from './opened-vault.ts';
import { ownVault } from './own-vault.ts';
import { openProgressFeed, type ProgressFeed } from './progress.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };

/**
 * Opens a vault as its owner: finds its state and history, takes the lock, opens catalog and index and starts to
 * bring them up to date. Resolves as soon as calls can be answered from what was known before; `ready` says when
 * everything present is in. What was opened is closed again when a step fails.
 *
 * @throws GroveError `vault_missing`, `vault_not_a_folder`, `vault_owned`
 * @example
 * const opened = await openOwnedVault({ root: '/home/ann/Notes', dataDir: '/home/ann/.local/share/grove', kind: 'stdio' });
 * const { text } = await answerCall(query, opened.scope(principal), { query: 'tomatoes' });
 */
export async function openOwnedVault(options: OpenOwnedVaultOptions): Promise<OpenedVault> {
  const gitInside = options.gitInside === undefined ? null : await giveGitInside(options, options.gitInside);
  for (;;) {
    const location = await locateVault(options);
    const closing = openClosing();
    try {
      const ownership = await own(options, location);
      closing.add('ownership', () => ownership.release());
      if (await isStillThere(options, location))
        return await openParts(options, location, { ownership, closing, gitInside });
    } catch (error) {
      await closing.close();
      throw error;
    }
    await closing.close();
  }
}

async function giveGitInside(options: OpenOwnedVaultOptions, wish: GitInsideWish): Promise<GitInsideOutcome> {
  const ownership = await own(options, await locateVault(options));
  try {
    return await putGitInside(await locateVault(options), wish, options.clock ?? systemClock);
  } finally {
    await ownership.release();
  }
}

/** False when the process that owned the vault until now gave it a `.git`: its lock is in there from then on. */
async function isStillThere(options: OpenOwnedVaultOptions, location: VaultLocation): Promise<boolean> {
  return location.repository !== null || (await locateVault(options)).repository === null;
}

function own(options: OpenOwnedVaultOptions, location: VaultLocation): Promise<Ownership> {
  return ownVault(location, {
    host: hostname(),
    pid: process.pid,
    socketPath: options.socketPath ?? null,
    kind: options.kind,
  });
}

/** What is there before the parts are opened. */
interface Beginning {
  readonly ownership: Ownership;
  readonly closing: Closing;
  readonly gitInside: GitInsideOutcome | null;
}

async function openParts(
  options: OpenOwnedVaultOptions,
  location: VaultLocation,
  { ownership, closing, gitInside }: Beginning,
): Promise<OpenedVault> {
  const { slug, root, stateDir } = location;
  const clock = options.clock ?? systemClock;
  const cursorKey = await readCursorKey(stateDir);
  const { history, repository, problem } = await openTimes(options, location);
  if (history !== null) closing.add('history', () => history.close());
  const embedding = await openEmbedding(
    join(stateDir, 'index', 'vectors'),
    (await options.embedding?.()) ?? null,
  );
  const learning: { names: CommonNames | null; ready: Promise<void> } = {
    names: null,
    ready: Promise.resolve(),
  };
  // Before the first scan: what a crash left half done is finished or undone first.
  const writes = await openWrites({
    root,
    stateDir,
    repository,
    problem,
    history,
    clock,
    onProblem: options.onProblem,
    fs: options.fs,
    readOnly: options.policy?.readOnly ?? false,
    names: {
      isCommon: async (view, to, name) => (await learning.names?.isCommon(view, to, name)) ?? null,
      ready: () => learning.ready,
    },
    trails: () => (options.trails === undefined ? [] : options.trails(slug)),
  });
  closing.add('writes', () => writes.close());
  const vault = await openVault({
    root,
    stateDir,
    slug,
    gitDir: repository?.gitDir ?? null,
    times: history ?? noGitTimes,
    clock,
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.poll === undefined ? {} : { poll: options.poll }),
  });
  closing.add('vault', () => vault.close());
  writes.attach(vault);
  // In the same turn: the index must hear of everything that the scan finds.
  const search = await openSearch({
    vault,
    dir: join(stateDir, 'index', 'lexical'),
    clock,
    ...(embedding.meaning === null ? {} : { meaning: embedding.meaning }),
  });
  learning.names = new CommonNames(search);
  learning.ready = search.ready.catch(() => {});
  closing.add('search', () => search.close());
  // First of all at the end: what is still written goes into catalog and index.
  closing.add('writes', () => writes.close());
  const mayName = readableBy(options.policy ?? allowAll);
  const { engine } = writes;
  const autocommit =
    engine === null || history === null
      ? null
      : openAutocommit({
          vault,
          root,
          history,
          engine,
          mayRead: mayName,
          onUnlessTold: location.repository === null,
          onceAtStart: gitInside === 'made' || gitInside === 'moved',
          ...(options.autocommit === undefined ? {} : { times: options.autocommit }),
          onProblem: (cause) => options.onProblem?.({ what: 'autocommit', cause }),
        });
  if (autocommit !== null) closing.add('autocommit', () => autocommit.close());
  const maintenance =
    repository === null || engine === null
      ? null
      : openMaintenance({
          location: repository,
          clock,
          // A repository that Grove may not write into is left to whoever may.
          isOn: () => vault.maintenance && (writes.state.on || location.repository === null),
          settled: () => engine.settled(),
          ...(options.maintenance === undefined ? {} : { pace: options.maintenance }),
          onProblem: (cause) => options.onProblem?.({ what: 'maintenance', cause }),
        });
  if (maintenance !== null) {
    history?.onChange(() => maintenance.touch());
    vault.onSettings(() => maintenance.touch());
    writes.switch.onChange(() => maintenance.touch());
    closing.add('maintenance', () => maintenance.close());
  }
  const progress = openProgressFeed(vault, search);
  closing.add('progress', () => progress.close());
  const ready = Promise.all([vault.ready, search.ready]).then(() => {});
  // Whoever awaits it hears of a failure; nobody has to.
  ready.catch((cause: unknown) => options.onProblem?.({ what: 'open', cause }));
  progress.followIndex(ready);
  const unfollow = embedding.follow({ vault, search, progress }, (cause) =>
    options.onProblem?.({ what: 'embedding', cause }),
  );
  closing.add('embedding', unfollow);
  if (history !== null) followHistory(history, progress);
  const sync = await openSync({
    stateDir,
    repository:
      repository === null || history === null || engine === null
        ? null
        : { location: repository, history, engine },
    problem: problem ?? writes.state.problem,
    ownersWord: vault.ownersWord,
    clock,
    wish: options.sync ?? NO_SYNC,
    conflicts: () => vault.ownerView().conflictCopies().length,
    ready,
    onProblem: (cause) => options.onProblem?.({ what: 'sync', cause }),
  });
  closing.add('sync', () => sync.close());
  const historyHealth = (): HistoryHealth => ({
    ready: history?.ready ?? true,
    problem: problem ?? history?.status().problem ?? null,
  });
  const past: Omit<VaultPast, 'seesAll'> | null =
    history === null ? null : { history, trusted: trustedWords(stateDir, options) };
  const isUnchanged = fileCheck(root, () => Date.now());
  const properties = new PropertyCache();
  const texts = new TextAnswers();
  const patterns = new PatternVerdicts();
  const policy = options.policy ?? allowAll;
  const isOpen = policy.readPaths.length === 0 && policy.denyPaths.length === 0;
  const reverting = ({ kind, id, name }: Principal, writable: WritePolicy): Scope['revert'] => {
    if (past === null || engine === null) return null;
    const author = { kind, id, name, client: null };
    return (wish) => revertKey({ ...past, root, engine, author, policy: writable }, wish);
  };
  const takingBack = (writable: WritePolicy): Scope['undoDiscovery'] => {
    if (past === null || engine === null) return null;
    const parts = { ...past, engine, view: vault.ownerView(), policy: writable };
    return (wish) => undoDiscovery(parts, wish);
  };
  const trash =
    engine === null || history === null ? null : new VaultTrash({ root, engine, history, mayName });
  const scopeOf = (principal: Principal, view: View, rules: ViewRules = allowAll, access?: Access): Scope => {
    const may = rightsOf(access?.scopes ?? []);
    const writable = compileWritePolicy([policy, rules], view.isOwner);
    const mayRevert = principal.kind === 'owner' && view.isOwner && may.write;
    const isTrail = access?.trail === true;
    return {
      principal,
      view,
      writes: writes.state,
      may,
      writable,
      revert: mayRevert ? reverting(principal, writable) : null,
      undoDiscovery: mayRevert ? takingBack(writable) : null,
      trash: view.isOwner ? trash : null,
      confirm: null,
      confirmations: principal.kind === 'owner' && may.write ? writes.confirmations : null,
      sourceHash: ({ path, contentHash }) => writes.engine?.sourceHashOf(path, contentHash) ?? contentHash,
      search,
      vault,
      clock,
      isUnchanged,
      properties,
      texts,
      patterns,
      mayName,
      history: historyHealth,
      embedding,
      autocommit: () => autocommit?.state() ?? null,
      syncHealth: () => (view.isOwner ? sync.health() : null),
      sync: mayRevert ? sync : null,
      gitDir: async () => (view.isOwner && isOpen ? ((await maintenance?.state()) ?? null) : null),
      isTrail,
      past: past === null || isTrail ? null : { ...past, seesAll: view.isOwner && isOpen },
      cursorKey,
      publicUrl: options.publicUrl ?? null,
    };
  };
  return {
    slug,
    stateDir,
    gitInside,
    vault,
    search,
    ownership,
    ready,
    historyRead: history?.caughtUp() ?? Promise.resolve(),
    writes: {
      get on() {
        return writes.state.on;
      },
      notes: writes.state.notes,
      problem: writes.state.problem,
      get lacksLinks() {
        return writes.state.lacksLinks;
      },
      queue: () => writes.state.queue(),
      switch: (on) => writes.switch.turn(on),
      onSwitch: writes.switch.onChange,
      confirmations: writes.confirmations,
      settled: async () => writes.engine?.settled(),
    },
    scope: (principal, rules, access) =>
      scopeOf(principal, rules === undefined ? vault.ownerView() : vault.view(rules), rules, access),
    preview: (rules) => previewTrail(scopeOf(OWNER, vault.ownerView()), rules),
    noteTypes: () => noteTypes(vault),
    health: async (view) => collectHealth(scopeOf(OWNER, view)),
    reindex: () => reindex(vault, search, progress),
    maintain: async (onProgress) => {
      if (maintenance !== null) return maintenance.run(onProgress);
      throw new GroveError('writes_unavailable', {
        reason: problem ?? writes.state.problem ?? 'its history cannot be written.',
      });
    },
    sync,
    onProgress: progress.onProgress,
    close: closing.close,
  };
}

/** As keys have it: who may write may append and read. */
function rightsOf(scopes: readonly AccessScope[]): WriteRights {
  const write = scopes.includes('write');
  return { write, append: write || scopes.includes('append'), read: write || scopes.includes('read') };
}

interface Times {
  readonly history: History | null;
  readonly repository: GitLocation | null;
  readonly problem: string | null;
}

/** A folder that is no repository gets a git dir of its own beside its state; a broken repository is left alone. */
/** A second history beside the one that is missed would be told as the only one. */
function repositoryGone(): GroveError {
  return new GroveError(
    'repository_unreadable',
    { reason: 'the .git is gone that its folder had when it was opened before' },
    { hint: 'Bring it back, or begin a new history in the folder with "grove start --git-init".' },
  );
}

async function openTimes(options: OpenOwnedVaultOptions, location: VaultLocation): Promise<Times> {
  const { stateDir, root } = location;
  try {
    if (location.repositoryProblem !== null) throw location.repositoryProblem;
    const own = join(stateDir, 'git');
    // What was opened before and never got a git dir of Grove's own had one of its own.
    const isGone =
      location.repository === null && !existsSync(own) && existsSync(join(stateDir, 'ledger.db'));
    if (isGone) throw repositoryGone();
    const repository = location.repository ?? (await initGitDir(own, { workTree: root }));
    const history = await openHistory({ location: repository, dir: join(stateDir, 'index') });
    return { history, repository, problem: null };
  } catch (error) {
    if (!isGroveError(error, 'repository_unreadable')) throw error;
    options.onProblem?.({ what: 'history', cause: error });
    return { history: null, repository: null, problem: `${error.message} ${error.hint}` };
  }
}

/** Where the key of the signatures cannot be read, no commit is taken for Grove's own. */
function trustedWords(stateDir: string, { onProblem }: OpenOwnedVaultOptions): ReadTrustedWords {
  try {
    return openTrustedWords(stateDir);
  } catch (cause) {
    if (!isGroveError(cause, 'ledger_unavailable')) throw cause;
    onProblem?.({ what: 'history', cause });
    return () => null;
  }
}

function followHistory(history: History, progress: ProgressFeed): void {
  history.onProgress(({ phase, done, total }) =>
    progress.report({ phase: 'history', done, total, finished: phase === 'idle' }),
  );
}

async function reindex(vault: Vault, search: VaultSearch, progress: ProgressFeed): Promise<void> {
  const work = vault.rescan().then(() => search.rebuild());
  progress.followIndex(work);
  await work;
}
