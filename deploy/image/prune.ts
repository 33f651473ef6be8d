import { existsSync, globSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Run while the image is built, in its copy of the repository: takes away what this platform does not run. Licences stay.
const home = fileURLToPath(new URL('../..', import.meta.url));
const store = join(home, 'node_modules/.pnpm');

keepOnly(join(home, 'packages/native/prebuilt'), /^linux-/, `linux-${process.arch}-gnu`);
for (const installed of readdirSync(store).filter((name) => name.startsWith('onnxruntime-node@'))) {
  const built = join(store, installed, 'node_modules/onnxruntime-node/bin/napi-v6');
  keepOnly(built, /./, process.platform);
  keepOnly(join(built, process.platform), /./, process.arch);
}
// What editors and debuggers read.
for (const path of globSync('**/*.{map,d.ts,d.mts,d.cts}', { cwd: store }))
  rmSync(join(store, path), { force: true });

/** Removes the entries whose names fit, but one, which must be there. */
function keepOnly(folder: string, fits: RegExp, kept: string): void {
  if (!existsSync(join(folder, kept))) throw new Error(`${join(folder, kept)} is not there`);
  for (const name of readdirSync(folder))
    if (fits.test(name) && name !== kept) rmSync(join(folder, name), { recursive: true });
}
