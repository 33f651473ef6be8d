import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError, Slices } from '@grove/core';
import type { GitStore } from '../../git-store.ts';
import { PackBuilder } from '../../maintenance/pack-builder.ts';
import { type Source, survey } from '../../maintenance/survey.ts';
import { mergeBases } from '../../merging/merge-base.ts';
import { unreadable } from '../../repository/unreadable.ts';
import { isAncestor } from '../../writing/refs/is-ancestor.ts';
import { makeIncoming, storeWith } from '../packs/incoming.ts';
import { newObjects } from '../packs/new-objects.ts';
import type { PushCall } from '../process/remote-messages.ts';
import type { RemoteProgress } from '../remote-options.ts';
import { type Advertisement, readAdvertisement } from '../wire/advertisement.ts';
import { saidByRemote, withRemote } from '../wire/remote-failure.ts';
import { RemoteHttp } from '../wire/remote-http.ts';
import { sendPack } from '../wire/send-pack.ts';
import { packFiles } from './receive.ts';
import { moveTrackingRef, trackingRef } from './tracking-ref.ts';

/** Whether the remote has the commit now, or has commits that are not here. */
export type PushOutcome = 'pushed' | 'behind';

const SERVICE = 'git-receive-pack';
/** Heads of a remote that are looked at when it lacks the branch. */
const OTHER_HEADS = 20;

/** Pushes a commit to one branch, never over what is there. */
export async function pushBranch(
  call: PushCall,
  onProgress: (progress: RemoteProgress) => void,
): Promise<{ outcome: PushOutcome }> {
  const { location, name, branch, commit } = call;
  const http = new RemoteHttp(call);
  return withRemote(http.host, async () => {
    const offer = await readAdvertisement(http, SERVICE);
    const outcome = await moveRemote(http, offer, call, onProgress);
    if (outcome === 'pushed')
      await moveTrackingRef(location, trackingRef(name, branch), commit, 'update by push');
    return { outcome };
  });
}

async function moveRemote(
  http: RemoteHttp,
  offer: Advertisement,
  call: PushCall,
  onProgress: (progress: RemoteProgress) => void,
): Promise<PushOutcome> {
  const { location, commit } = call;
  const ref = `refs/heads/${call.branch}`;
  const from = offer.refs.get(ref) ?? null;
  if (from === commit) return 'pushed';
  await using store = storeWith(location, null);
  const shallow = await store.shallowCommits();
  if (call.seen !== undefined && !(await goesOn(store, call.seen, from))) return 'behind';
  const known = await commonHeads(store, offer, from, commit, shallow);
  if (from !== null && !known.includes(from)) return 'behind';
  const pack = await packOf(store, call, known, shallow, onProgress);
  const size = (await lstat(pack)).size;
  const refusal = await sendPack(http, {
    ref,
    from,
    to: commit,
    capabilities: offer.capabilities,
    shallow: [...shallow],
    pack: { path: pack, size },
    onSent: (done) => onProgress({ phase: 'sending bytes', done, total: size }),
  });
  if (refusal === null) return 'pushed';
  const now = (await readAdvertisement(http, SERVICE)).refs.get(ref) ?? null;
  if (now !== from) return now === commit ? 'pushed' : 'behind';
  const said = saidByRemote(refusal.said);
  const reason = saidByRemote(refusal.reason) + (said === '' ? '' : ` ("${said}")`);
  throw new GroveError('remote_protected', { host: http.host, reason });
}

/** True when the branch is what was seen of it, or goes on from there. */
async function goesOn(store: GitStore, seen: string | null, from: string | null): Promise<boolean> {
  if (seen === null || from === null) return seen === from;
  if (!(await store.has(seen)) || !(await store.has(from))) return false;
  return (await mergeBases(store, seen, from)).includes(seen);
}

/** Commits that both sides have, where the commit continues them. */
async function commonHeads(
  store: GitStore,
  offer: Advertisement,
  from: string | null,
  commit: string,
  shallow: ReadonlySet<string>,
): Promise<string[]> {
  const heads = [...offer.refs].filter(([name]) => name.startsWith('refs/heads/')).map(([, oid]) => oid);
  const read = async (oid: string) => {
    const found = await store.readCommit(oid);
    return shallow.has(oid) ? { ...found, parents: [] } : found;
  };
  const common: string[] = [];
  for (const oid of from === null ? heads.slice(0, OTHER_HEADS) : [from]) {
    if (!(await store.has(oid))) continue;
    if (await isAncestor(await store.readCommit(oid), commit, read)) common.push(oid);
  }
  return common;
}

/** A pack of what the remote lacks, in the call's own folder. */
async function packOf(
  store: GitStore,
  { location, incoming, commit }: PushCall,
  known: readonly string[],
  shallow: ReadonlySet<string>,
  onProgress: (progress: RemoteProgress) => void,
): Promise<string> {
  const sources: Source[] = [];
  for await (const { oid, time } of newObjects(store, commit, known, shallow))
    sources.push({ oid, time, read: () => store.objectOf(oid) });
  const slices = new Slices();
  const surveyed = await survey(sources, slices, () => {});
  if (surveyed.length < sources.length) throw unreadable('an object of the newest commits is damaged');
  const { fs } = packFiles(location);
  await makeIncoming(fs, incoming);
  const builder = await PackBuilder.create(fs, join(incoming, 'pack'), surveyed.length, -1);
  for (const [at, { source, key }] of surveyed.entries()) {
    await builder.add(source.oid, (await source.read())!, key);
    if (!slices.spent) continue;
    onProgress({ phase: 'packing objects', done: at, total: surveyed.length });
    await slices.rest();
  }
  return builder.finish(null);
}
