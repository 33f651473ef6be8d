import { spawnSync } from 'node:child_process';
import { describe, it } from 'vitest';

/** The Debian package that brings a program which some tests judge by. */
const PACKAGES: Readonly<Record<string, string>> = {
  git: 'git',
  xz: 'xz-utils',
  tar: 'tar',
  mkfifo: 'coreutils',
  ps: 'procps',
  setpriv: 'util-linux',
  curl: 'curl',
  chromium: 'chromium',
  caddy: 'caddy',
  'systemd-analyze': 'systemd',
};

/**
 * A `describe` for tests that need programs of the system. Where one is missing they are skipped by a name that
 * holds the install line; under `CI=true` that is a failure instead.
 */
export function describeWithPrograms(name: string, programs: readonly string[], body: () => void): void {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  if (missing.length === 0) {
    describe(name, body);
    return;
  }
  const install = `apt-get install ${missing.map((program) => PACKAGES[program] ?? program).join(' ')}`;
  if (process.env.CI === 'true') {
    it(`${name}: needs ${missing.join(', ')}`, () => {
      throw new Error(install);
    });
  } else describe.skip(`${name} (${install})`, body);
}
