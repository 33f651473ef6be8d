import { storeWith } from '../packs/incoming.ts';
import type { FetchCall } from '../process/remote-messages.ts';
import type { RemoteProgress } from '../remote-options.ts';
import { readAdvertisement } from '../wire/advertisement.ts';
import { withRemote } from '../wire/remote-failure.ts';
import { RemoteHttp } from '../wire/remote-http.ts';
import { receive } from './receive.ts';
import { moveTrackingRef, trackingRef } from './tracking-ref.ts';

/** Fetches one branch. */
export async function fetchBranch(
  call: FetchCall,
  onProgress: (progress: RemoteProgress) => void,
): Promise<{ tip: string | null; isEmpty: boolean }> {
  const { location, branch, incoming } = call;
  const http = new RemoteHttp(call);
  return withRemote(http.host, async () => {
    const offer = await readAdvertisement(http, 'git-upload-pack');
    const tip = offer.refs.get(`refs/heads/${branch}`) ?? null;
    const isEmpty = ![...offer.refs.keys()].some((name) => name.startsWith('refs/heads/'));
    if (tip === null) return { tip, isEmpty };
    const ref = trackingRef(call.name, branch);
    const known = await knownCommits(call, ref);
    await receive(http, offer, { location, incoming, want: tip, known, depth: null, onProgress });
    await moveTrackingRef(location, ref, tip, `fetch ${call.name}: stored head`);
    return { tip, isEmpty };
  });
}

/** Commits that refs name, so that all that leads to them is here. */
async function knownCommits({ location, branch }: FetchCall, ref: string): Promise<string[]> {
  await using store = storeWith(location, null);
  const { oid } = await store.resolveHead();
  const tips = [oid, await store.resolveRef(`refs/heads/${branch}`), await store.resolveRef(ref)];
  return [...new Set(tips.filter((tip) => tip !== null))];
}
