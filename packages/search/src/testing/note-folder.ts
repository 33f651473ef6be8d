import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '@grove/core';
import { makeFolder, type TestFolder, writeFiles } from '@grove/testing';
import type { Vault, View } from '@grove/vault';
import type { SearchAnswer, SearchRequest, SearchType, VaultSearch } from '../contract.ts';
import { openSearch } from '../open-search.ts';
import { openNotes } from './open-notes.ts';

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
  const home = makeFolder('search');
  mkdirSync(join(home.path, 'notes'));
  writeFiles(join(home.path, 'notes'), notes);
  return await open(home, clock);
}

async function open(home: TestFolder, clock: Clock): Promise<NoteFolder> {
  const root = join(home.path, 'notes');
  const stateDir = join(home.path, 'state');
  const indexDir = join(stateDir, 'index', 'lexical');
  const vault = await openNotes(root, stateDir);
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
    async write(more) {
      writeFiles(root, more);
    },
    async change(more) {
      writeFiles(root, more);
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
      home.remove();
    },
  };
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
