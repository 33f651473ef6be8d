import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildLocal, buildPrebuilt, PREBUILT_TARGETS, type PrebuiltTarget } from './build/cargo.ts';
import { writeThirdParty } from './build/third-party.ts';
import { nativeCandidates } from './src/load.ts';
import { localIsCurrent } from './src/local-build.ts';

const USAGE = `node packages/native/build.ts            build for this machine, into local/
node packages/native/build.ts --if-needed    the same, unless a binary that fits is there
node packages/native/build.ts --target linux-x64|linux-arm64   a committed binary (needs cargo-zigbuild)
node packages/native/build.ts --licences     the lists of crates that are linked in`;

const packageDir = fileURLToPath(new URL('.', import.meta.url));

function main(): number {
  const { values } = parseArgs({
    options: {
      'if-needed': { type: 'boolean' },
      target: { type: 'string' },
      licences: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.licences) {
    writeThirdParty(packageDir);
    return 0;
  }
  if (values.target !== undefined) {
    if (!Object.hasOwn(PREBUILT_TARGETS, values.target)) {
      console.error(USAGE);
      return 2;
    }
    buildPrebuilt(packageDir, values.target as PrebuiltTarget);
    return 0;
  }
  if (values['if-needed'] && isReady()) return 0;
  if (spawnSync('cargo', ['--version'], { stdio: 'ignore' }).status !== 0) {
    console.error(
      'Grove has no native module for this machine yet: install Rust from https://rustup.rs, then run "node packages/native/build.ts".',
    );
    // Installing goes on; what needs the module says the same when it starts.
    return values['if-needed'] ? 0 : 1;
  }
  console.log('Building the native module with cargo; this takes some minutes once.');
  buildLocal(packageDir);
  return 0;
}

/** A committed binary fits, or the local build was made from these sources. */
function isReady(): boolean {
  const [best] = nativeCandidates(packageDir);
  if (best === undefined) return false;
  if (best.startsWith(join(packageDir, 'prebuilt')) && loads(best)) return true;
  return localIsCurrent(packageDir);
}

/** In a process of its own: a binary for another C library may end it. */
function loads(path: string): boolean {
  const script = `require(${JSON.stringify(path)})`;
  return spawnSync(process.execPath, ['-e', script], { stdio: 'ignore' }).status === 0;
}

process.exitCode = main();
