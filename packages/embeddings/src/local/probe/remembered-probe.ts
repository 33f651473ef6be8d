import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { MODEL_FILES } from '../model/model-files.ts';
import type { RuntimeName } from '../model/runtime.ts';
import type { ProbeResult } from './probe.ts';

/** Holds what the last probe on this machine found. */
export const PROBE_FILE = 'local-model.json';
/** After this time a failure is not believed any more: a machine may have been out of memory. */
const FAILURE_LASTS_MS = 24 * 60 * 60 * 1000;

interface Remembered {
  readonly key: string;
  readonly at: string;
  readonly result: ProbeResult;
}

/**
 * What a probe finds, asked only when no earlier one found it for this version, platform and processor. The file is
 * derived: unreadable, the probe runs again; unwritable, it runs at each start.
 *
 * @param folder where {@link PROBE_FILE} is kept
 * @example await rememberedProbe(folder, 'onnxruntime-node', () => probeModel(options));
 */
export async function rememberedProbe(
  folder: string,
  runtime: RuntimeName,
  probe: () => Promise<ProbeResult>,
): Promise<ProbeResult> {
  const file = join(folder, PROBE_FILE);
  const key = await machineKey(runtime);
  const known = await read(file);
  if (known?.key === key && isFresh(known)) return known.result;
  const result = await probe();
  if (result.works || result.lasting) await write(file, { key, at: new Date().toISOString(), result });
  return result;
}

function isFresh({ result, at }: Remembered): boolean {
  return result.works || Math.abs(Date.now() - Date.parse(at)) < FAILURE_LASTS_MS;
}

async function read(file: string): Promise<Remembered | null> {
  try {
    const known = JSON.parse(await readFile(file, 'utf8')) as Remembered;
    return typeof known.result.works === 'boolean' ? known : null;
  } catch {
    return null;
  }
}

async function write(file: string, remembered: Remembered): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.${process.pid}`, JSON.stringify(remembered));
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // Then it is found out again at the next start.
  }
}

/** Differs when anything differs that decides whether the model runs. */
async function machineKey(runtime: RuntimeName): Promise<string> {
  const { version } = createRequire(import.meta.url)(`${runtime}/package.json`) as { version: string };
  const parts = [
    runtime,
    version,
    process.version,
    process.platform,
    process.arch,
    cpus()[0]?.model ?? '',
    await processorFlags(),
    MODEL_FILES.model.sha256,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** Virtual machines name processors alike that differ in what they can do. */
async function processorFlags(): Promise<string> {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return /^(?:flags|Features)\s*:.*$/m.exec(text)?.[0] ?? '';
}
