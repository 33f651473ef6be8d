import { z } from 'zod';
import { toldCommitShape } from '../history/told-commit.ts';
import { choice, flag, type InputOf, prose, text, whole } from '../parameters/parameter.ts';
import { syncShape } from '../sync/answer.ts';
import { type DiagnosticsAnswer, diagnosticsOutput } from './diagnostics/contract.ts';
import { type DigestAnswer, digestOutput } from './digest/contract.ts';
import { type GraphAnswer, graphOutput } from './graph/contract.ts';

/** What vault_status can tell of. */
export const MODES = ['health', 'history', 'graph', 'digest', 'diagnostics'] as const;

export const vaultStatusParameters = {
  mode: choice(
    MODES,
    'history: commits; graph: links; digest: notes by stage; diagnostics: what to mend, and how.',
    {
      guesses: ['of', 'what', 'view'],
    },
  ),
  path: text('Only this note, or folder.', {
    guesses: ['file', 'note', 'name', 'folder'],
  }),
  to: text('Graph: way from path.', { guesses: ['target', 'destination', 'until'] }),
  depth: whole({ min: 1, max: 10, absent: null }, 'Graph: links around path.', {
    guesses: ['distance', 'hops', 'levels'],
  }),
  since: text('History since: a date, 7d.', { guesses: ['after', 'from', 'start'] }),
  by: text('History by: me, a name, a key id.', { guesses: ['author', 'key', 'principal', 'user'] }),
  diff: flag(false, 'History with diffs.', { guesses: ['diffs', 'patch', 'changes'] }),
  limit: whole({ min: 1, max: 100, absent: null }, 'Commits, or entries of a list, in one answer.', {
    guesses: ['n', 'max', 'count', 'max_results', 'page_size'],
    isAdvertised: false,
  }),
  cursor: prose('From the answer before.', { guesses: ['offset', 'page', 'next'] }),
} as const;

export type VaultStatusInput = InputOf<typeof vaultStatusParameters>;

const fileShape = z.object({
  path: z.string(),
  status: z.enum(['indexed', 'pending', 'skipped', 'unknown']),
  reason: z.string(),
});

const skippedShape = z.object({ path: z.string(), reason: z.string() });

const indexShape = z.object({
  state: z.string(),
  /** Why the index or the catalog was built anew, when it was. */
  rebuilt: z.string().optional(),
  problem: z.string().optional(),
  /** For the owner: what is in it and what waits. */
  documents: z.int().optional(),
  pending: z.int().optional(),
});

const watchingShape = z.object({
  mode: z.enum(['events', 'poll']),
  /** Longest time, in milliseconds, until a change from outside is seen. */
  bound_ms: z.number(),
  problem: z.string().optional(),
  last_look: z.string().optional(),
});

const embeddingShape = z.object({
  configured: z.boolean(),
  /** Notes that the caller may see: all, those that can be found by meaning, those that wait, those that cannot be embedded. */
  total: z.int().optional(),
  done: z.int().optional(),
  pending: z.int().optional(),
  failed: z.int().optional(),
  /** For the owner: the model, and where texts are sent; absent when they stay on this machine. */
  model: z.string().optional(),
  host: z.string().optional(),
  store: z.enum(['lancedb', 'sqlite']).optional(),
  /** The model before it, while that answers because it reaches more notes. */
  former: z.string().optional(),
  problem: z.string().optional(),
  note: z.string(),
});

const autocommitShape = z.object({
  on: z.boolean(),
  /** Notes that differ from the last commit; absent while the history is being read. */
  uncommitted: z.int().optional(),
  problem: z.string().optional(),
});

const rulesShape = z.object({
  may: z.enum(['read', 'add', 'write']),
  /** Where alone; anywhere when absent. */
  write_paths: z.array(z.string()).optional(),
  /** What becomes of notes that are deleted. */
  deletes: z.enum(['trash', 'confirm', 'deny']).optional(),
  types: z
    .array(
      z.object({
        type: z.string(),
        folders: z.array(z.string()).optional(),
        /** True when only notes of this type may lie there. */
        folder_only: z.boolean().optional(),
        template: z.string().optional(),
        /** The tags include it, or one below it. */
        tag: z.string().optional(),
        /** `name: kind`, or `name: one|of|these`. */
        required: z.array(z.string()).optional(),
        optional: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  types_total: z.int().optional(),
});

const gitDirShape = z.object({
  /** Of all objects of the history; the part that is not packed is estimated. */
  bytes: z.int(),
  /** Objects that are not packed. */
  loose_objects: z.int(),
  packs: z.int(),
  /** Whether they are packed by themselves. */
  maintenance: z.boolean(),
  /** True when there are many. */
  due: z.boolean(),
  problem: z.string().optional(),
});

const degradedShape = z.object({
  part: z.string(),
  problem: z.string(),
  /** What to do, or what Grove does by itself. */
  next: z.string(),
});

const queueShape = z.object({
  /** Writes that were accepted and are not done. */
  waiting: z.int(),
  /** Since when the oldest of them waits or runs, in milliseconds. */
  oldest_ms: z.int(),
});

const healthOutput = z.object({
  mode: z.literal('health'),
  vault: z.string(),
  state: z.enum(['opening', 'ready', 'degraded', 'closed']),
  problem: z.string().optional(),
  dialect: z.string(),
  zone: z.string(),
  now: z.string(),
  /** Of what the caller may see. */
  notes: z.int(),
  folders: z.int(),
  tags: z.int(),
  words: z.int(),
  bytes: z.int(),
  broken_frontmatter: z.array(z.string()),
  broken_frontmatter_total: z.int(),
  index: indexShape,
  history: z.object({ ready: z.boolean(), problem: z.string().optional() }),
  /** Whether notes may be written by this caller: for the owner the switch, and what stands in the way. */
  writes: z
    .object({ on: z.boolean(), problem: z.string().optional(), note: z.string().optional() })
    .optional(),
  /** What the writes of this caller have to keep to. */
  rules: rulesShape.optional(),
  embedding: embeddingShape,
  /** For the owner only, from here. */
  /** Parts that do not work as they should. */
  degraded: z.array(degradedShape).optional(),
  queue: queueShape.optional(),
  skipped: z.array(skippedShape).optional(),
  skipped_total: z.int().optional(),
  skipped_reasons: z.record(z.string(), z.int()).optional(),
  unreadable_folders: z.array(z.string()).optional(),
  watching: watchingShape.optional(),
  autocommit: autocommitShape.optional(),
  git_dir: gitDirShape.optional(),
  sync: syncShape.optional(),
  /** Deleted notes that still lie in the vault's trash. */
  trash: z.object({ notes: z.int(), bytes: z.int() }).optional(),
  memory_bytes: z.int().optional(),
  /** Notes read and parsed since the vault was opened: 0 after an unchanged restart. */
  parsed: z.int().optional(),
  file: fileShape.optional(),
  remarks: z.array(z.string()),
});

const listedChangeShape = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted', 'renamed']),
  /** The former path of a renamed note. */
  from: z.string().optional(),
  /** Hunks of a unified diff, at most 1 KB. */
  diff: z.string().optional(),
});

const listedCommitShape = z.object({
  ...toldCommitShape,
  notes: z.array(listedChangeShape),
  /** Notes that it changed, where they are several: the list may hold only the first. */
  notes_total: z.int().optional(),
});

const historyOutput = z.object({
  mode: z.literal('history'),
  vault: z.string(),
  /** Newest first. */
  commits: z.array(listedCommitShape),
  remarks: z.array(z.string()),
  cursor: z.string().optional(),
});

export type HealthAnswer = z.infer<typeof healthOutput>;
export type HistoryAnswer = z.infer<typeof historyOutput>;
export type ListedCommit = z.infer<typeof listedCommitShape>;
export type ListedChange = z.infer<typeof listedChangeShape>;
export type StatusAnswer = HealthAnswer | HistoryAnswer | GraphAnswer | DigestAnswer | DiagnosticsAnswer;

/** One flat shape for all answers, which is what hosts can check; `mode` says which fields are there. */
export const vaultStatusOutput = z.object({
  ...healthOutput.partial().shape,
  ...historyOutput.partial().shape,
  ...graphOutput.partial().shape,
  ...digestOutput.partial().shape,
  ...diagnosticsOutput.partial().shape,
  mode: z.enum(MODES),
  vault: z.string(),
  remarks: z.array(z.string()),
});
export type FileStatus = z.infer<typeof fileShape>;
