import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '@grove/core';
import { noGitTimes, openVault, type Vault, type View } from '@grove/vault';
import type { SearchAnswer, SearchRequest, SearchType, VaultSearch } from '../contract.ts';
import { openSearch } from '../open-search.ts';

/** File texts by path. */
export type Notes = Readonly<Record<string, string | Uint8Array>>;

/** A real folder of notes, its open vault and its search. */
export interface NoteFolder {
  readonly root: string;
  /** Folder of the index. */
  readonly indexDir: string;
  readonly vault: Vault;
  readonly search: VaultSearch;
  write(notes: Notes): Promise<void>;
  /** Writes, reconciles: the vault and its listeners have it. */
  change(notes: Notes): Promise<void>;
  remove(path: string): Promise<void>;
  /** Closes vault and search and opens both again; `between` runs while they are closed. */
  reopen(between?: () => Promise<void>): Promise<NoteFolder>;
  close(): Promise<void>;
}

/** Writes the notes into a new folder and opens it. Call `close` in the end: it deletes the folder. */
export async function openNoteFolder(notes: Notes, clock: Clock = systemClock): Promise<NoteFolder> {
  const home = await mkdtemp(join(tmpdir(), 'grove-search-'));
  await writeNotes(join(home, 'notes'), notes);
  return await open(home, clock);
}

async function open(home: string, clock: Clock): Promise<NoteFolder> {
  const root = join(home, 'notes');
  const stateDir = join(home, 'state');
  const indexDir = join(stateDir, 'index', 'lexical');
  const vault = await openVault({
    root,
    stateDir,
    slug: 'notes',
    gitDir: null,
    times: noGitTimes,
    poll: 60_000,
  });
  const search = await openSearch({ vault, dir: indexDir, clock });
  await vault.ready;
  await search.ready;
  const stop = async () => {
    await search.close();
    await vault.close();
  };
  return {
    root,
    indexDir,
    vault,
    search,
    write: (more) => writeNotes(root, more),
    async change(more) {
      await writeNotes(root, more);
      await vault.reconcile();
    },
    async remove(path) {
      await rm(join(root, path));
      await vault.reconcile();
    },
    async reopen(between = async () => {}) {
      await stop();
      await between();
      return await open(home, clock);
    },
    async close() {
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function writeNotes(root: string, notes: Notes): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const [path, text] of Object.entries(notes)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** A request with nothing but these searches. */
export function request(
  searches: SearchRequest['searches'],
  more: Partial<SearchRequest> = {},
): SearchRequest {
  return { searches, intent: null, within: null, limit: 10, offset: 0, snippets: 1, ...more };
}

/** Asks one search of the owner's View, or of the given one. */
export function ask(
  folder: NoteFolder,
  query: string,
  more: Partial<SearchRequest> & { type?: SearchType; view?: View } = {},
): Promise<SearchAnswer> {
  const { type = 'lex', view = folder.vault.ownerView(), ...rest } = more;
  return folder.search.search(view, request([{ type, query }], rest));
}

/** Paths of the hits, best first. */
export function paths(answer: SearchAnswer): readonly string[] {
  return answer.hits.map(({ row }) => row.path);
}
