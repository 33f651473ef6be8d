import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Embedder,
  openSearch,
  type SearchAnswer,
  type SearchRequest,
  type VaultSearch,
} from '@grove/search';
import { makeFolder, writeFiles } from '@grove/testing';
import { noGitTimes, openVault, type Vault, type View } from '@grove/vault';
import { openLocalEmbedder } from '../local/open-local-embedder.ts';
import { openLanceStore } from '../stores/lance-store.ts';

/** A real folder of notes with its open vault and its search by words and by meaning. */
export interface MeaningVault {
  readonly root: string;
  /** Folder of the index by meaning. */
  readonly dir: string;
  readonly vault: Vault;
  readonly search: VaultSearch;
  write(notes: Readonly<Record<string, string>>): Promise<void>;
  remove(path: string): Promise<void>;
  /** Resolves when every note of the owner is embedded; false when the embedder fails. */
  embedded(): Promise<boolean>;
  ask(
    searches: SearchRequest['searches'],
    more?: { view?: View } & Partial<SearchRequest>,
  ): Promise<SearchAnswer>;
  reopen(between?: () => void | Promise<void>): Promise<MeaningVault>;
  close(): Promise<void>;
}

interface Opening {
  readonly embedder?: () => Promise<Embedder>;
  readonly openStore?: typeof openLanceStore;
}

/** Opens such a vault; `close` deletes it. */
export async function openMeaningVault(
  notes: Readonly<Record<string, string>>,
  opening: Opening = {},
): Promise<MeaningVault> {
  const home = makeFolder('meaning');
  mkdirSync(join(home.path, 'notes'));
  writeFiles(join(home.path, 'notes'), notes);
  return await open(home.path, () => home.remove(), opening);
}

async function open(home: string, remove: () => void, opening: Opening): Promise<MeaningVault> {
  const root = join(home, 'notes');
  const stateDir = join(home, 'state');
  const dir = join(stateDir, 'index', 'vectors');
  const vault = await openVault({
    root,
    stateDir,
    slug: 'notes',
    gitDir: null,
    times: noGitTimes,
    poll: 60_000,
  });
  const embedder = await (opening.embedder ?? (() => openLocalEmbedder({ threads: 1 })))();
  const openStore = opening.openStore ?? openLanceStore;
  const search = await openSearch({
    vault,
    dir: join(stateDir, 'index', 'lexical'),
    // A busy machine may take longer over a query than anybody would wait.
    meaning: { dir, embedder, openStore, patienceMs: 60_000 },
  });
  await vault.ready;
  await search.ready;
  const stop = async () => {
    await search.close();
    await embedder.close();
    await vault.close();
  };
  return {
    root,
    dir,
    vault,
    search,
    async write(more) {
      writeFiles(root, more);
      await vault.reconcile();
    },
    async remove(path) {
      rmSync(join(root, path));
      await vault.reconcile();
    },
    embedded: () => search.embedded([...vault.ownerView().ids()]),
    ask: (searches, { view = vault.ownerView(), ...more } = {}) =>
      search.search(view, {
        searches,
        intent: null,
        within: null,
        limit: 10,
        offset: 0,
        snippets: 1,
        ...more,
      }),
    async reopen(between = () => {}) {
      await stop();
      await between();
      return await open(home, remove, opening);
    },
    async close() {
      await stop();
      remove();
    },
  };
}
