import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Holds how many numbers the vectors of models have. Derived. */
const FILE = 'embedder-dimensions.json';

/**
 * How many numbers the vectors of a model have: as it was found out once, so that a server that is down does not take the
 * vectors away.
 *
 * @param of the address and the name of the model
 * @throws what `ask` throws, when that is not known yet
 * @example await rememberedDimensions(dataDir, 'http://localhost:11434/v1 bge-m3', () => askDimensions(options))
 */
export async function rememberedDimensions(
  dataDir: string,
  of: string,
  ask: () => Promise<number>,
): Promise<number> {
  const file = join(dataDir, FILE);
  const known = await readKnown(file);
  const found = known[of];
  if (found !== undefined) return found;
  const dimensions = await ask();
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(`${file}.${process.pid}`, JSON.stringify({ ...known, [of]: dimensions }));
    await rename(`${file}.${process.pid}`, file);
  } catch {
    // Then it is asked at the next start, too.
  }
  return dimensions;
}

async function readKnown(file: string): Promise<Readonly<Record<string, number>>> {
  try {
    const known: unknown = JSON.parse(await readFile(file, 'utf8'));
    const entries = Object.entries(known ?? {}).filter(([, value]) => Number.isInteger(value) && value > 0);
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
