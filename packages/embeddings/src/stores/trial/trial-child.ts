// What `try-lance.ts` runs in a process of its own: keeps one vector in LanceDB, changes it and reads it again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import { openLanceStore } from '../lance-store.ts';

try {
  process.stdout.write((await runs()) ? 'works' : 'wrong vectors');
} catch (error) {
  process.stdout.write(codeOf(error) ?? String(error));
}

async function runs(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'grove-vectors-'));
  try {
    const store = await openLanceStore(join(folder, 'store'), 4);
    await store.put([{ key: 'a', vector: Float32Array.of(0, 1, 0, 0) }]);
    await store.put([{ key: 'a', vector: Float32Array.of(1, 0, 0, 0) }]);
    const [found] = await store.get(['a']);
    return found?.vector[0] === 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The code of the first cause, past those that only say which files of a build are not there. */
function codeOf(error: unknown): string | undefined {
  const codes: (string | undefined)[] = [];
  for (let one = error; one !== undefined; one = one instanceof Error ? one.cause : undefined)
    codes.push(errorCode(one));
  return codes.findLast((code) => code !== undefined && code !== 'MODULE_NOT_FOUND');
}
