import { join } from 'node:path';
import { diskWriteFs, GroveError, isGroveError, systemClock, type WriteFs } from '@grove/core';
import type { GitStore } from '../../git-store.ts';
import type { GitLocation } from '../../repository/location.ts';
import { withFolderOwner } from '../../writing/locks/folder-owner.ts';
import { sharedPermissions } from '../../writing/locks/shared-permissions.ts';
import { OnePass } from '../../writing/one-pass.ts';
import { GitSettings } from '../../writing/rules/git-settings.ts';
import { userSettings } from '../../writing/rules/user-settings.ts';
import { ancestors } from '../packs/ancestors.ts';
import { installPack, makeIncoming, storeWith } from '../packs/incoming.ts';
import { indexPack } from '../packs/index-pack.ts';
import { newObjects } from '../packs/new-objects.ts';
import { storePack } from '../packs/store-pack.ts';
import type { RemoteProgress } from '../remote-options.ts';
import type { Advertisement } from '../wire/advertisement.ts';
import type { RemoteHttp } from '../wire/remote-http.ts';
import { requestPack } from '../wire/request-pack.ts';
import { newCuts } from './shallow-commits.ts';
import { addShallow } from './shallow-file.ts';

/** A commit to have here, with all that leads to it. */
export interface Reception {
  readonly location: GitLocation;
  readonly incoming: string;
  readonly want: string;
  /** Commits that are here with all that leads to them. */
  readonly known: readonly string[];
  readonly depth: number | null;
  readonly onProgress: (progress: RemoteProgress) => void;
}

/**
 * Brings a commit and all that it needs into the repository, or nothing: what comes is looked over in a folder apart and
 * enters as one whole pack, synced.
 *
 * @throws `remote_history_unusable` when the server sends less than the commit needs
 */
export async function receive(http: RemoteHttp, offer: Advertisement, reception: Reception): Promise<void> {
  const { location, incoming, want, known } = reception;
  await using here = storeWith(location, null);
  const shallow = await here.shallowCommits();
  if (await isComplete(here, want, known, shallow)) return;
  const { fs, mode } = packFiles(location);
  await makeIncoming(fs, incoming);
  const answer = await requestPack(http, {
    want,
    capabilities: offer.capabilities,
    haves: ancestors(here, known, shallow),
    shallow: [...shallow],
    depth: reception.depth,
    onText: () => {},
  });
  const path = join(incoming, 'pack', 'received');
  const report = (phase: string, done: number, total: number | null) =>
    reception.onProgress({ phase, done, total });
  const stored = await storePack(fs, path, answer.bytes, (size) => {
    http.progressed();
    report('receiving bytes', size, null);
  });
  const pack = await indexPack({
    fs,
    path,
    stored,
    mode,
    readBase: async (oid) => ((await here.has(oid)) ? here.objectOf(oid) : null),
    onObjects: (done, total) => report('indexing objects', done, total),
  });
  await using whole = storeWith(location, incoming);
  const { host } = http;
  const cuts = await newCuts({ host, here, whole, asked: answer.shallow, offered: offer.shallow });
  if (!(await isComplete(whole, want, known, new Set([...shallow, ...cuts]))))
    throw unusable(host, 'objects are missing in what it sent');
  // A commit without its parents must be known as such before anybody meets it.
  if (cuts.size > 0) await addShallow(location, here, cuts);
  await installPack(fs, pack);
}

/** How files of packs are made in this repository. */
export function packFiles(location: GitLocation): {
  fs: WriteFs;
  mode: ReturnType<typeof sharedPermissions>;
} {
  const settings = new GitSettings(location, userSettings(), systemClock, new OnePass()).read();
  const fs = withFolderOwner(diskWriteFs);
  return { fs, mode: sharedPermissions(settings.get('core.sharedrepository')) };
}

/** True when the commit is there with all that it needs beyond the known ones. */
async function isComplete(
  store: GitStore,
  tip: string,
  known: readonly string[],
  shallow: ReadonlySet<string>,
): Promise<boolean> {
  try {
    if (!(await store.has(tip))) return false;
    for await (const { oid, type } of newObjects(store, tip, known, shallow)) {
      // Trees and commits are read on the way.
      if (type !== 'blob' || (await store.packsHolding(oid)).length > 0) continue;
      if (!(await store.has(oid))) return false;
    }
    return true;
  } catch (error) {
    if (isGroveError(error, 'repository_unreadable')) return false;
    throw error;
  }
}

function unusable(host: string, reason: string): GroveError {
  return new GroveError('remote_history_unusable', { host, reason });
}
