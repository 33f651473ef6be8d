import type { SkippedFile, VaultHealth, View } from '@grove/vault';
import { clip, isoTime } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { AutocommitState } from '../autocommit/autocommit.ts';
import type { Scope } from '../contract.ts';
import { groupByTag } from '../list-notes/groups.ts';
import { syncState } from '../sync/answer.ts';
import { hasWriteRights } from '../write-note/listed.ts';
import type { HealthAnswer } from './contract.ts';
import { degradedParts, FOLDER_AWAY } from './degraded-parts.ts';
import { embeddingHealth } from './embedding-health.ts';
import { type OwnerFigures, type VaultFigures, vaultFigures } from './figures.ts';
import { rulesOf } from './rules.ts';

const SKIPPED_BYTES = 6 * 1024;
const FOLDER_BYTES = 2 * 1024;
const BROKEN_BYTES = 2 * 1024;

const WITHOUT_LINKS =
  'No hard link can be made to some notes (exFAT and some network shares have none): while such a note is replaced its old text is kept as a copy.';

/** What an owner is told of files that are no notes. */
export const SKIP_REASONS: Readonly<Record<SkippedFile['reason'], string>> = {
  symlink: 'it is a symbolic link, or lies behind one',
  hard_link: 'it has more than one hard link',
  not_a_file: 'it is a folder, device, pipe or socket with the name of a note',
  unreadable: 'it cannot be read: permission was denied',
  not_text: 'it is not UTF-8 text',
  too_large: 'it is larger than a note may be',
  bad_name: 'its name cannot be a path of a note',
  twin: 'another file has the same name in the other Unicode form',
  ignored: 'it lies in a folder that its tool keeps for itself',
};

/** The vault as this View sees it, with the owner's facts where the View is the owner's. */
export async function collectHealth(scope: Scope): Promise<HealthAnswer> {
  const { view, vault } = scope;
  const figures = await vaultFigures(scope);
  const { vault: health, index, owner } = figures;
  const rows = view.notes();
  const broken = rows.filter(
    (row) => row.frontmatterStatus === 'broken' || row.frontmatterStatus === 'unclosed',
  );
  return {
    mode: 'health',
    vault: vault.name,
    state: health.state,
    ...(health.state === 'degraded' ? { problem: FOLDER_AWAY } : {}),
    dialect: vault.dialect,
    zone: vault.zone,
    now: isoTime(scope, scope.clock.now()),
    notes: figures.notes,
    folders: countFolders(view),
    tags: groupByTag(rows).length,
    words: rows.reduce((sum, row) => sum + row.words, 0),
    bytes: rows.reduce((sum, row) => sum + row.size, 0),
    broken_frontmatter: [
      ...fillPage(
        broken.map((row) => row.path as string),
        BROKEN_BYTES,
      ).items,
    ],
    broken_frontmatter_total: broken.length,
    index: {
      state: index.state,
      ...(owner === null ? {} : ownersIndex(figures, owner)),
    },
    history: historyOf(scope),
    writes: writesOf(scope),
    rules: rulesOf(scope),
    embedding: embeddingHealth(scope, figures),
    ...(owner === null
      ? {}
      : { ...ownersFacts(scope, figures, owner), ...gitDirOf(owner), ...(await trashOf(scope)) }),
    remarks: owner === null ? [] : ownersRemarks(health),
  };
}

function historyOf({ view, history }: Scope): HealthAnswer['history'] {
  const { ready, problem } = history();
  return { ready, ...(view.isOwner && problem !== null ? { problem: clip(problem, 300) } : {}) };
}

/** Who may never write here hears the same whether others may: the switch is no matter of theirs. */
function writesOf(scope: Scope): NonNullable<HealthAnswer['writes']> {
  const { on, problem, lacksLinks } = scope.writes;
  if (!scope.view.isOwner) return { on: on && hasWriteRights(scope) };
  return {
    on,
    ...(problem === null ? {} : { problem: clip(problem, 300) }),
    ...(lacksLinks ? { note: WITHOUT_LINKS } : {}),
  };
}

function ownersIndex(
  { index, vault }: VaultFigures,
  { documents }: OwnerFigures,
): Partial<HealthAnswer['index']> {
  const rebuilt = index.rebuilt ?? vault.rebuilt;
  return {
    documents,
    pending: index.pending,
    ...(rebuilt === null ? {} : { rebuilt: clip(rebuilt, 300) }),
    ...(index.problem === null ? {} : { problem: clip(index.problem, 300) }),
  };
}

function ownersFacts(scope: Scope, figures: VaultFigures, owner: OwnerFigures): Partial<HealthAnswer> {
  const { vault: health } = figures;
  const autocommit = owner.autocommit();
  const reasons: Record<string, number> = {};
  const named = skippedFiles(scope, health);
  for (const { reason } of named) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const { watching, lastReconcile } = health;
  const skipped = named.map(({ path, reason }) => ({
    path: clip(path, 300),
    reason: SKIP_REASONS[reason],
  }));
  return {
    degraded: degradedParts(scope, figures, autocommit),
    ...queueOf(owner),
    skipped: [...fillPage(skipped, SKIPPED_BYTES).items],
    skipped_total: named.length,
    skipped_reasons: reasons,
    unreadable_folders: [...fillPage(unreadableFolders(scope, health), FOLDER_BYTES).items],
    watching: {
      mode: watching.mode,
      bound_ms: watching.boundMs,
      ...(watching.problem === null ? {} : { problem: clip(watching.problem, 300) }),
      ...(lastReconcile === null ? {} : { last_look: isoTime(scope, lastReconcile.at) }),
    },
    ...autocommitOf(autocommit),
    ...syncOf(scope),
    memory_bytes: owner.memory,
    parsed: health.parsed,
  };
}

function queueOf({ queue }: OwnerFigures): Pick<HealthAnswer, 'queue'> {
  return queue === null ? {} : { queue: { waiting: queue.waiting, oldest_ms: Math.round(queue.oldestMs) } };
}

function autocommitOf(state: AutocommitState | null): Pick<HealthAnswer, 'autocommit'> {
  if (state === null) return {};
  const { on, uncommitted, problem } = state;
  return {
    autocommit: {
      on,
      ...(uncommitted === null ? {} : { uncommitted }),
      ...(problem === null ? {} : { problem: clip(problem, 300) }),
    },
  };
}

/** Where there is no remote and nothing was chosen there is nothing to tell. */
function syncOf(scope: Scope): Pick<HealthAnswer, 'sync'> {
  const health = scope.syncHealth();
  if (health === null || (health.mode === 'off' && health.remote === null)) return {};
  return { sync: syncState(scope, health) };
}

async function trashOf({ trash }: Scope): Promise<Pick<HealthAnswer, 'trash'>> {
  const notes = (await trash?.list())?.flatMap((batch) => batch.notes) ?? [];
  return notes.length === 0
    ? {}
    : { trash: { notes: notes.length, bytes: notes.reduce((sum, { bytes }) => sum + bytes, 0) } };
}

function gitDirOf({ gitDir: state }: OwnerFigures): Pick<HealthAnswer, 'git_dir'> {
  if (state === null) return {};
  const { looseObjects, packs, bytes, isOn, isDue, problem } = state;
  return {
    git_dir: {
      bytes,
      loose_objects: looseObjects,
      packs,
      maintenance: isOn,
      due: isDue,
      ...(problem === null ? {} : { problem: clip(problem, 300) }),
    },
  };
}

/** Files that are no notes, where the process policy lets the owner hear of them. */
export function skippedFiles(scope: Scope, health: VaultHealth): readonly SkippedFile[] {
  return health.skipped.filter(({ path }) => scope.mayName(path));
}

/** Folders that could not be read, by the same policy. */
export function unreadableFolders(scope: Scope, health: VaultHealth): readonly string[] {
  return health.unreadableFolders.filter((path) => scope.mayName(path));
}

function ownersRemarks({ remarks }: VaultHealth): string[] {
  return remarks.slice(0, 10).map((remark) => clip(remark, 300));
}

function countFolders(view: View): number {
  return view.folders().filter(({ path }) => path !== '').length;
}
