import { existsSync, readFileSync } from 'node:fs';

/**
 * The largest memory that this process ever had, in bytes. What the system tells of the process also counts whoever
 * started it, up to then; its memory does not.
 */
export function largestRss(): number {
  const status = '/proc/self/status';
  const own = existsSync(status) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined;
  return Number(own ?? process.resourceUsage().maxRSS) * 1024;
}
