// What `try-lance.ts` runs in a process of its own: keeps one vector in LanceDB and reads it again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLanceStore } from '../lance-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'grove-vectors-'));
try {
  const store = await openLanceStore(join(folder, 'store'), 4);
  await store.put([{ key: 'a', vector: Float32Array.of(1, 0, 0, 0) }]);
  const [found] = await store.get(['a']);
  process.stdout.write(found?.vector[0] === 1 ? 'works' : 'wrong');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
