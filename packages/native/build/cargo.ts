import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { LOCAL_BUILD, LOCAL_SOURCES } from '../src/local-build.ts';
import { type Manifest, readManifest } from '../src/manifest.ts';
import { sourceHash } from '../src/source-hash.ts';

interface Target {
  readonly rust: string;
  readonly folder: string;
  readonly glibc: string;
}

/** Binaries that are committed, by `<platform>-<arch>`. */
export const PREBUILT_TARGETS = {
  'linux-x64': { rust: 'x86_64-unknown-linux-gnu', folder: 'linux-x64-gnu', glibc: '2.28' },
  'linux-arm64': { rust: 'aarch64-unknown-linux-gnu', folder: 'linux-arm64-gnu', glibc: '2.28' },
} as const satisfies Record<string, Target>;
export type PrebuiltTarget = keyof typeof PREBUILT_TARGETS;

/** Builds for this machine into `local/`. */
export function buildLocal(packageDir: string): void {
  const sources = sourceHash(packageDir);
  const built = cargo(packageDir, ['build', '--profile', 'local', '--locked']);
  place(built, join(packageDir, LOCAL_BUILD));
  writeFileSync(join(packageDir, LOCAL_SOURCES), `${sources}\n`);
}

/** Builds one committed binary with an old glibc as its floor, and enters it into the manifest. */
export function buildPrebuilt(packageDir: string, target: PrebuiltTarget): void {
  const { rust, folder, glibc } = PREBUILT_TARGETS[target];
  const sources = sourceHash(packageDir);
  const built = cargo(packageDir, ['zigbuild', '--release', '--locked', '--target', `${rust}.${glibc}`]);
  const file = `${folder}/grove_native.node`;
  const path = join(packageDir, 'prebuilt', file);
  place(built, path);
  const bytes = readFileSync(path);
  const before = readManifest(packageDir);
  // Binaries of other sources than these are no longer valid.
  const kept = before?.sources === sources ? before.binaries : {};
  const manifest: Manifest = {
    sources,
    binaries: {
      ...kept,
      [target]: {
        file,
        rustTarget: rust,
        glibc,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    },
  };
  writeFileSync(join(packageDir, 'prebuilt/manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Runs cargo in the crate and returns the path of the library it built. */
function cargo(packageDir: string, args: readonly string[]): string {
  const { status, stdout } = spawnSync('cargo', [...args, '--message-format=json-render-diagnostics'], {
    cwd: join(packageDir, 'crate'),
    env: { ...process.env, CARGO_ENCODED_RUSTFLAGS: remappedPaths(packageDir).join('\x1f') },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`cargo ${args.join(' ')} failed`);
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    const message = JSON.parse(line) as { reason: string; target?: { name: string }; filenames?: string[] };
    const library = message.filenames?.find((name) => /\.(?:so|dylib|dll)$/.test(name));
    if (message.reason === 'compiler-artifact' && message.target?.name === 'grove_native' && library)
      return library;
  }
  throw new Error('cargo built no library');
}

/** Flags that keep this machine's paths out of panic messages, so that a binary does not depend on where it was built. */
function remappedPaths(packageDir: string): string[] {
  const cargoHome = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const registries = join(cargoHome, 'registry/src');
  const folders = existsSync(registries) ? readdirSync(registries) : [];
  const names = new Map(folders.map((name) => [join(registries, name), 'crates']));
  names.set(join(packageDir, 'crate'), 'grove_native');
  return [...names].map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

/** By rename: a process that has the old file mapped keeps it. */
function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}
