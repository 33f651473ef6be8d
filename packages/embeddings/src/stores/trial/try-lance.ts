import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lanceInstalled, type Machine } from '../lance-library.ts';

/** Holds what the last trial on this machine found. */
export const TRIAL_FILE = 'lancedb.json';
/** After this time a failure is not believed any more: a machine may have been out of memory. */
const FAILURE_LASTS_MS = 24 * 60 * 60 * 1000;
const LIMIT_MS = 30_000;
/** Characters that a trial may say. */
const MOST_TOLD = 100;

/** How the library is tried; another machine, another program, and less patience, in tests. */
export interface TrialOptions {
  readonly machine?: Machine;
  readonly script?: URL;
  readonly limitMs?: number;
}

interface Remembered {
  readonly key: string;
  readonly at: number;
  readonly trouble: string | null;
}

/**
 * Whether LanceDB runs on this machine. It is tried in a process of its own, which a processor or a C library that it was
 * not built for ends in the place of this one; what came of it is remembered for this version, platform and processor.
 * Never throws.
 *
 * @param folder where {@link TRIAL_FILE} is kept: derived, and unwritable the trial is made at each start
 * @returns null when it runs; else why it does not, as a clause
 * @example await tryLance('/home/ann/.local/share/grove') // null
 */
export async function tryLance(folder: string, options: TrialOptions = {}): Promise<string | null> {
  const { version, trouble: missing } = lanceInstalled(options.machine);
  if (missing !== null) return missing;
  const key = await machineKey(version);
  const file = join(folder, TRIAL_FILE);
  const known = await read(file);
  if (known?.key === key && (known.trouble === null || Math.abs(Date.now() - known.at) < FAILURE_LASTS_MS))
    return known.trouble;
  const trouble = await tryInProcess(options);
  await write(folder, file, { key, at: Date.now(), trouble });
  return trouble;
}

async function tryInProcess({ script, limitMs = LIMIT_MS }: TrialOptions): Promise<string | null> {
  const program = fileURLToPath(script ?? new URL('./trial-child.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Where a crash may leave its core file.
    cwd: tmpdir(),
    windowsHide: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output = (output + part).slice(0, MOST_TOLD);
  });
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, limitMs);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (late) return `it did not answer within ${limitMs / 1000} seconds`;
    if (code === 0 && output === 'works') return null;
    return `it fails on this machine (${signal ?? (output || `exit code ${code}`)})`;
  } catch {
    return 'a process to try it cannot be started';
  } finally {
    clearTimeout(limit);
  }
}

async function read(file: string): Promise<Remembered | null> {
  try {
    const known = JSON.parse(await readFile(file, 'utf8')) as Remembered;
    return known.trouble === null || typeof known.trouble === 'string' ? known : null;
  } catch {
    return null;
  }
}

async function write(folder: string, file: string, remembered: Remembered): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${file}.${process.pid}`, JSON.stringify(remembered));
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // Then it is tried again at the next start.
  }
}

/** Differs when anything differs that decides whether it runs. */
async function machineKey(version: string | null): Promise<string> {
  // Virtual machines name processors alike that differ in what they can do.
  const info = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  const flags = /^(?:flags|Features)\s*:.*$/m.exec(info)?.[0] ?? '';
  const { platform, arch } = process;
  const parts = [version, process.version, platform, arch, cpus()[0]?.model ?? '', flags];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
