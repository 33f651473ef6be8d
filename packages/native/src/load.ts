import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Binding } from './binding.ts';
import { LOCAL_BUILD } from './local-build.ts';
import { hostTarget, readManifest } from './manifest.ts';
import { sourceHash } from './source-hash.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

/** No binary fits this machine. */
export class NativeMissingError extends Error {
  readonly code = 'native_missing';
}

/**
 * Files to try, best first: the committed binary when it was built from these sources, else a build made here.
 *
 * @example nativeCandidates('/srv/grove/packages/native') // ['…/prebuilt/linux-x64-gnu/grove_native.node']
 */
export function nativeCandidates(directory: string, target: string = hostTarget()): string[] {
  const candidates: string[] = [];
  const manifest = readManifest(directory);
  const binary = manifest?.binaries[target];
  if (manifest && binary && manifest.sources === sourceHash(directory))
    candidates.push(join(directory, 'prebuilt', binary.file));
  candidates.push(join(directory, LOCAL_BUILD));
  return candidates.filter((path) => existsSync(path));
}

/**
 * Loads the native module. It is safe to call from several threads; each gets its own instance.
 *
 * @throws NativeMissingError with one sentence that says what to do
 */
export function loadNative(directory: string = packageDir): Binding {
  const require = createRequire(import.meta.url);
  let cause: unknown;
  for (const path of nativeCandidates(directory)) {
    try {
      return require(path) as Binding;
    } catch (error) {
      // A binary for another C library: the next candidate may fit.
      cause = error;
    }
  }
  throw new NativeMissingError(
    `Grove's native module has no build for ${hostTarget()}: install Rust (https://rustup.rs) and run "node packages/native/build.ts".`,
    { cause },
  );
}
