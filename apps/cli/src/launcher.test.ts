import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collect, temporaryFolder } from '@grove/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Finished } from './testing/processes.ts';

const BIN = fileURLToPath(new URL('../../../bin', import.meta.url));

/** A checkout in small: the launcher, a lockfile, a program that tells how it was started. */
let home: string;
let scratch: string;
beforeEach(() => {
  scratch = temporaryFolder('a launcher');
  home = join(scratch, 'the checkout');
  mkdirSync(join(home, 'bin'), { recursive: true });
  mkdirSync(join(home, 'apps/cli/src'), { recursive: true });
  mkdirSync(join(scratch, 'path'));
  copyFileSync(join(BIN, 'grove'), join(home, 'bin/grove'));
  chmodSync(join(home, 'bin/grove'), 0o755);
  writeFileSync(join(home, 'pnpm-lock.yaml'), '');
  writeFileSync(
    join(home, 'apps/cli/src/main.ts'),
    'console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }));',
  );
});

/** Puts an `npx` on the PATH that notes its call, writes to stdout like the real one, and installs or fails. */
function putNpx(outcome: 'installs' | 'fails'): void {
  const node = join(home, 'node_modules/node/bin/node');
  const work =
    outcome === 'fails'
      ? 'exit 1'
      : `sleep 0.3; mkdir -p '${join(home, 'node_modules/node/bin')}'; ln -sf '${process.execPath}' '${node}'`;
  const script = `#!/bin/sh\necho "$*" >>'${join(scratch, 'npx calls')}'\necho noise\ncat\n${work}\n`;
  writeFileSync(join(scratch, 'path/npx'), script, { mode: 0o755 });
}

const calls = (): string[] =>
  existsSync(join(scratch, 'npx calls'))
    ? readFileSync(join(scratch, 'npx calls'), 'utf8').trim().split('\n')
    : [];

async function launch(args: readonly string[], command = join(home, 'bin/grove')): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: scratch,
    env: { PATH: `${join(scratch, 'path')}:/usr/bin:/bin`, TMPDIR: scratch },
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin.end('typed by the client');
  const [code] = await once(child, 'close');
  return { code, stdout: stdout(), stderr: stderr() };
}

describe('bin/grove', () => {
  it('installs what is missing, with all of its noise on stderr, then runs with the words and folder as given', async () => {
    putNpx('installs');
    const { code, stdout, stderr } = await launch(['search', 'two words', '', '$HOME *']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ args: ['search', 'two words', '', '$HOME *'], cwd: scratch });
    expect(stderr).toContain('noise');
    expect(stderr).not.toContain('typed by the client');
    expect(calls()).toEqual(['-y pnpm@12.4.2 install --frozen-lockfile']);
  });

  it('has Node keep what it compiled, from the first program on', async () => {
    putNpx('installs');
    writeFileSync(
      join(home, 'apps/cli/src/main.ts'),
      `import { getCompileCacheDir } from 'node:module';
       console.log(getCompileCacheDir() ?? 'none' satisfies string);`,
    );
    const { stdout } = await launch([]);
    expect(stdout.trim()).toContain(join(scratch, 'node-compile-cache'));
  });

  it('installs once, also when others start while the first still installs (user-pains 51)', async () => {
    putNpx('installs');
    const runs = await Promise.all([launch(['a']), launch(['b']), launch(['c'])]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(calls()).toHaveLength(1);
    expect((await launch(['d'])).stderr).toBe('');
    expect(calls()).toHaveLength(1);
    expect(existsSync(join(home, '.installing'))).toBe(false);
  });

  it('installs again when the lockfile is newer', async () => {
    putNpx('installs');
    await launch(['a']);
    const later = Date.now() / 1000 + 60;
    utimesSync(join(home, 'pnpm-lock.yaml'), later, later);
    expect((await launch(['b'])).code).toBe(0);
    expect(calls()).toHaveLength(2);
  });

  it('installs nothing after the package manager did', async () => {
    mkdirSync(join(home, 'node_modules/node/bin'), { recursive: true });
    symlinkSync(process.execPath, join(home, 'node_modules/node/bin/node'));
    writeFileSync(join(home, 'node_modules/.pnpm-workspace-state-v1.json'), '{}');
    putNpx('fails');
    expect(await launch(['a'])).toMatchObject({ code: 0, stderr: '' });
    expect(calls()).toEqual([]);
  });

  it('takes over the lock of an installation that died', async () => {
    putNpx('installs');
    mkdirSync(join(home, '.installing'));
    // Above the largest process id that Linux gives out.
    writeFileSync(join(home, '.installing/pid'), String(2 ** 22 + 1));
    expect((await launch(['a'])).code).toBe(0);
    expect(calls()).toHaveLength(1);
  });

  it('says so and exits 1 when nothing could be installed', async () => {
    putNpx('fails');
    const { code, stdout, stderr } = await launch(['a']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('could not install');
  });

  it('goes on with what is there when an update could not be installed', async () => {
    putNpx('installs');
    await launch(['a']);
    putNpx('fails');
    const later = Date.now() / 1000 + 60;
    utimesSync(join(home, 'pnpm-lock.yaml'), later, later);
    const { code, stdout } = await launch(['b']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).args).toEqual(['b']);
  });

  it('finds its checkout through links, relative ones too', async () => {
    putNpx('installs');
    mkdirSync(join(scratch, 'local/bin'), { recursive: true });
    symlinkSync(join('..', '..', 'the checkout', 'bin', 'grove'), join(scratch, 'local/bin/first'));
    symlinkSync('first', join(scratch, 'local/bin/grove'));
    const { code, stdout } = await launch(['x'], join(scratch, 'local/bin/grove'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ args: ['x'], cwd: scratch });
  });
});

describe('bin/grove.cmd', () => {
  it('has the line ends that cmd.exe needs, and the same install command', () => {
    const text = readFileSync(join(BIN, 'grove.cmd'), 'utf8');
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(text).toContain('npx -y pnpm@12.4.2 install --frozen-lockfile');
  });
});
