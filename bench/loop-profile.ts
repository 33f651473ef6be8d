import { Session } from 'node:inspector/promises';
import { basename } from 'node:path';
import type { Stretch } from './event-loop.ts';

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly children?: readonly number[];
  }[];
  /** Microseconds. */
  readonly startTime: number;
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

/** What a function of the project cost within the long stretches. */
export interface HeldBy {
  readonly name: string;
  /** Milliseconds, callees that are no functions of the project included. */
  readonly ms: number;
  /** Long stretches in which it had a part. */
  readonly stretches: number;
}

/** Takes samples of what this process does, twice a millisecond. */
export async function startProfile(): Promise<{ stop(): Promise<Profile> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  return {
    async stop() {
      const { profile } = await session.post('Profiler.stop');
      session.disconnect();
      return profile as Profile;
    },
  };
}

/** Shares out the time of the stretches over the project's functions, the costliest first. */
export function heldBy(profile: Profile, stretches: readonly Stretch[]): HeldBy[] {
  const names = ownFrames(profile);
  const found = new Map<string, { ms: number; in: Set<number> }>();
  // The profile's clock is that of `performance.now()`, counted from the machine's start.
  const origin = Number(process.hrtime.bigint()) / 1000 - performance.now() * 1000;
  let at = profile.startTime;
  let index = 0;
  for (const [sample, node] of (profile.samples ?? []).entries()) {
    const took = profile.timeDeltas?.[sample] ?? 0;
    at += took;
    const now = (at - origin) / 1000;
    while (index < stretches.length && stretches[index]!.to < now) index++;
    if (index === stretches.length) break;
    if (stretches[index]!.from > now) continue;
    const name = names.get(node) ?? '?';
    const entry = found.get(name) ?? { ms: 0, in: new Set() };
    entry.ms += took / 1000;
    entry.in.add(index);
    found.set(name, entry);
  }
  return [...found]
    .map(([name, entry]) => ({ name, ms: entry.ms, stretches: entry.in.size }))
    .sort((a, b) => b.ms - a.ms);
}

/** For each node the nearest function of the project on the way to it. */
function ownFrames(profile: Profile): Map<number, string> {
  const parents = new Map<number, number>();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node.id);
  const names = new Map<number, string>();
  for (const { id, callFrame } of profile.nodes) {
    let name: string | null = null;
    for (let at: number | undefined = id; at !== undefined && name === null; at = parents.get(at)) {
      const { url, functionName, lineNumber } = byId.get(at)!.callFrame;
      if (/\/(?:packages|apps)\/[^?]*\.ts$/.test(url) && !url.includes('node_modules'))
        name = `${functionName || '(anonymous)'} ${basename(url)}:${lineNumber + 1}`;
    }
    const { functionName } = callFrame;
    const own = name ?? '(no function of the project)';
    names.set(id, functionName.startsWith('(') ? functionName : own);
  }
  return names;
}
