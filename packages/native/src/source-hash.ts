import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Paths below `crate/` that decide what the binary holds, sorted, with `/`. */
export function crateSources(packageDir: string): string[] {
  const rust = readdirSync(join(packageDir, 'crate/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rs'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`);
  return ['Cargo.lock', 'Cargo.toml', 'build.rs', ...rust].sort();
}

/**
 * SHA-256 (hex) over names and texts of the crate's sources and lockfile. Line ends count as LF, so that a
 * checkout with CRLF has the same hash.
 *
 * @param packageDir the folder that holds `crate/`
 * @example sourceHash('/srv/grove/packages/native') // '5c1f…'
 */
export function sourceHash(packageDir: string): string {
  const hash = createHash('sha256');
  for (const name of crateSources(packageDir)) {
    const text = readFileSync(join(packageDir, 'crate', name), 'utf8').replaceAll('\r\n', '\n');
    hash.update(`${name}\0${Buffer.byteLength(text)}\0${text}`);
  }
  return hash.digest('hex');
}
