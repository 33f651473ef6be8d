import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError, systemClock, writeDurably } from '@grove/core';
import { initGitDir } from '../../repository/initialise.ts';
import { isRefName } from '../../repository/refs.ts';
import { openGitWriter } from '../../writing/git-writer.ts';
import { newIncomingFolder, storeWith } from '../packs/incoming.ts';
import type { CloneCall } from '../process/remote-messages.ts';
import { setRemote } from '../remote-config.ts';
import type { RemoteProgress } from '../remote-options.ts';
import { type Advertisement, readAdvertisement } from '../wire/advertisement.ts';
import { saidByRemote, withRemote } from '../wire/remote-failure.ts';
import { RemoteHttp } from '../wire/remote-http.ts';
import { checkOut } from './check-out.ts';
import { receive } from './receive.ts';
import { moveTrackingRef, trackingRef } from './tracking-ref.ts';

const REMOTE = 'origin';

/** Clones one branch into a folder: the repository in its `.git`, and all files. */
export async function cloneInto(
  call: CloneCall,
  onProgress: (progress: RemoteProgress) => void,
): Promise<{ commit: string | null; branch: string }> {
  const http = new RemoteHttp(call);
  const offer = await withRemote(http.host, () => readAdvertisement(http, 'git-upload-pack'));
  const branch = branchOf(http.host, offer, call.branch);
  const ref = `refs/heads/${branch}`;
  const location = await initGitDir(join(call.dir, '.git'), { workTree: call.dir });
  await using store = storeWith(location, null);
  await setRemote(location, REMOTE, call.url);
  const upstream = `[branch "${branch.replaceAll(/["\\]/g, '\\$&')}"]\n\tremote = ${REMOTE}\n\tmerge = ${ref}\n`;
  await appendFile(join(location.gitDir, 'config'), upstream);
  await writeDurably(join(location.gitDir, 'HEAD'), `ref: ${ref}\n`, 0o644);
  const commit = offer.refs.get(ref) ?? null;
  if (commit === null) return { commit, branch };
  const incoming = newIncomingFolder(location);
  const reception = { location, incoming, want: commit, known: [], depth: call.depth, onProgress };
  await withRemote(http.host, () => receive(http, offer, reception));
  await rm(incoming, { recursive: true });
  const reflog = `clone: from ${call.url}`;
  await moveTrackingRef(location, trackingRef(REMOTE, branch), commit, reflog);
  await moveTrackingRef(location, ref, commit, reflog);
  await using writer = await openGitWriter(location, { clock: systemClock });
  await checkOut(writer, store, { host: http.host, dir: call.dir, commit, onProgress });
  return { commit, branch };
}

/** The branch that is asked for, or the one that the remote's HEAD names; `main` where the remote is empty. */
function branchOf(host: string, offer: Advertisement, asked: string | null): string {
  const branch = asked ?? offer.headBranch;
  if (branch !== null && !isRefName(`refs/heads/${branch}`))
    throw new GroveError('remote_branch_missing', { host, branch: saidByRemote(branch) });
  const hasIt = branch !== null && offer.refs.has(`refs/heads/${branch}`);
  if (hasIt || offer.refs.size === 0) return branch ?? 'main';
  throw new GroveError('remote_branch_missing', { host, branch: saidByRemote(branch ?? 'HEAD') });
}
