import { execFileSync } from 'node:child_process';

/** Ids of the processes that a process has started to talk to a remote. */
export function remoteProcesses(parent: number): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === parent && match?.[3]?.includes('remote-child.ts'))
    .map((match) => Number(match![1]));
}
