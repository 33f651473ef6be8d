import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Run while the image is built, in its copy of the repository: takes away what this platform does not run.
const home = fileURLToPath(new URL('../..', import.meta.url));
const store = join(home, 'node_modules/.pnpm');

keepOnly(join(home, 'packages/native/prebuilt'), /^linux-/, `linux-${process.arch}-gnu`);
for (const installed of namesIn(store).filter((name) => name.startsWith('onnxruntime-node@'))) {
  const built = join(store, installed, 'node_modules/onnxruntime-node/bin/napi-v6');
  keepOnly(built, /./, process.platform);
  keepOnly(join(built, process.platform), /./, process.arch);
}

/** Removes the entries whose names fit, but one, which must be there. */
function keepOnly(folder: string, fits: RegExp, kept: string): void {
  if (!existsSync(join(folder, kept))) throw new Error(`${join(folder, kept)} is not there`);
  for (const name of namesIn(folder))
    if (fits.test(name) && name !== kept) rmSync(join(folder, name), { recursive: true });
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder);
}
