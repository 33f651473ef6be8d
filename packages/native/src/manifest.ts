import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One committed binary. */
export interface PrebuiltBinary {
  /** Relative to `prebuilt/`, with `/`. */
  readonly file: string;
  readonly rustTarget: string;
  /** The oldest glibc it loads on; null where there is none. */
  readonly glibc: string | null;
  readonly size: number;
  readonly sha256: string;
}

/** What `prebuilt/manifest.json` holds. */
export interface Manifest {
  /** `sourceHash` of the sources that all binaries were built from. */
  readonly sources: string;
  /** By `<platform>-<arch>` of Node. */
  readonly binaries: Readonly<Record<string, PrebuiltBinary>>;
}

/** `<platform>-<arch>` of the running Node, such as `linux-x64`. */
export function hostTarget(): string {
  return `${process.platform}-${process.arch}`;
}

/**
 * The manifest beside the committed binaries, or null when there is none.
 *
 * @throws SyntaxError when the file is not JSON
 */
export function readManifest(packageDir: string): Manifest | null {
  const path = join(packageDir, 'prebuilt/manifest.json');
  if (!existsSync(path)) return null;
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
