import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** LanceDB, and the Arrow whose tables it takes. */
export interface LanceLibrary {
  readonly lancedb: typeof import('@lancedb/lancedb');
  readonly arrow: typeof import('apache-arrow');
}

/** What is there of LanceDB on this machine. */
export interface LanceInstalled {
  /** Its version; null when it is not installed. */
  readonly version: string | null;
  /** Why it cannot be loaded, as a clause, as far as its files tell; null when nothing is against it. */
  readonly trouble: string | null;
}

/** A machine as Node.js names it. */
export type Machine = Pick<NodeJS.Process, 'platform' | 'arch'>;

const NAME = '@lancedb/lancedb';

/**
 * Loads LanceDB, which nothing does before it is needed.
 *
 * @throws Error when it has no build for this machine, or when that cannot be loaded
 * @example const { lancedb, arrow } = loadLance();
 */
export function loadLance(): LanceLibrary {
  // Else it warns on stderr of what it then says in an error. Read when the library is loaded.
  process.env.LANCEDB_LOG = 'off';
  const require = createRequire(import.meta.url);
  const lancedb = require(NAME) as LanceLibrary['lancedb'];
  // It compares classes, and those that `import` gives are others than those that it has itself.
  const arrow = createRequire(require.resolve(NAME))('apache-arrow') as LanceLibrary['arrow'];
  return { lancedb, arrow };
}

/**
 * Looks for LanceDB and for its build for a machine, and loads neither. Never throws.
 *
 * @example lanceInstalled() // { version: '0.31.0', trouble: null }
 */
export function lanceInstalled({ platform, arch }: Machine = process): LanceInstalled {
  let require = createRequire(import.meta.url);
  let manifest: { readonly version: string; readonly optionalDependencies?: object };
  try {
    const program = require.resolve(NAME);
    require = createRequire(program);
    // It does not let others import its manifest.
    manifest = JSON.parse(readFileSync(join(dirname(program), '..', 'package.json'), 'utf8'));
  } catch {
    return { version: null, trouble: 'it is not installed' };
  }
  const { version, optionalDependencies = {} } = manifest;
  const isThere = (build: string) => {
    try {
      return require.resolve(`${NAME}-${build}`) !== '';
    } catch {
      return false;
    }
  };
  const builds = buildsFor(platform, arch);
  if (builds.some(isThere)) return { version, trouble: null };
  const build = builds.length > 1 && !hasGlibc() ? builds[1] : builds[0];
  const isMade = `${NAME}-${build}` in optionalDependencies;
  return {
    version,
    trouble: isMade ? `its build for ${build} is not installed` : `it has no build for ${build}`,
  };
}

/** What its builds for a machine are called; on Linux that for glibc, then that for musl. */
function buildsFor(platform: string, arch: string): string[] {
  if (platform === 'linux') return [`linux-${arch}-gnu`, `linux-${arch}-musl`];
  return [platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`];
}

function hasGlibc(): boolean {
  // Else it asks for the names of all hosts that this process is connected to.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header?: object };
  return header !== undefined && 'glibcVersionRuntime' in header;
}
