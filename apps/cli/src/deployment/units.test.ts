import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms, makeFolder, writeFiles } from '@grove/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../settings/settings.ts';
import { NO_HOME } from '../testing/processes.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const unit = (name: string): string => readFileSync(join(ROOT, 'deploy', name), 'utf8');

/** Where each says that the checkout is. */
const HOMES = { 'grove.service': '/opt/grove', 'grove-user.service': '%h/grove' } as const;
const UNITS = Object.keys(HOMES) as (keyof typeof HOMES)[];

describe.each(UNITS)('%s', (name) => {
  const values = (key: string): string[] =>
    [...unit(name).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

  it('starts Grove with settings that it knows', async () => {
    expect(values('ExecStart')).toEqual([`${HOMES[name]}/bin/grove start`]);
    const named = values('Environment')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.split('='));
    const { vaults } = await readSettings({
      environment: { ...Object.fromEntries(named), HOME: NO_HOME },
      from: '/',
    });
    expect(vaults).toHaveLength(1);
  });

  it('lets it end in its own time, and starts it again only when it failed', () => {
    expect(values('TimeoutStopSec').map(Number)).toEqual([15]);
    expect(values('Restart')).toEqual(['on-failure']);
  });

  it('forbids no memory that is written and run: Node compiles as it runs', () => {
    expect(values('MemoryDenyWriteExecute')).toEqual([]);
    expect(values('NoNewPrivileges')).toEqual(['yes']);
  });
});

describeWithPrograms('systemd', ['systemd-analyze'], () => {
  /** The unit as it is installed, with this checkout and a user that every system has. */
  function installed(name: keyof typeof HOMES): { readonly file: string; readonly folder: string } {
    const folder = makeFolder('units');
    onTestFinished(() => folder.remove());
    // Where a path with a space is told in quotes, the units themselves have none.
    const checkout = join(folder.path, 'checkout');
    symlinkSync(ROOT, checkout);
    const text = unit(name).replaceAll(HOMES[name], checkout).replace('User=grove', 'User=daemon');
    writeFiles(folder.path, { 'grove.service': text });
    return { file: join(folder.path, 'grove.service'), folder: folder.path };
  }

  /** What systemd says of it. */
  function verified(file: string, folder: string, whose: readonly string[] = []) {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...whose, 'verify', file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: folder },
    });
    const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('grove'));
    return { status, about };
  }

  it.each(UNITS)('finds nothing wrong with %s', (name) => {
    const { file, folder } = installed(name);
    const whose = name === 'grove-user.service' ? ['--user'] : [];
    expect(verified(file, folder, whose)).toEqual({ status: 0, about: [] });
  });

  it('finds nothing wrong with the drop-ins of docs/deploy.md, one with spaces in a path among them', () => {
    const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8');
    const dropIns = [...page.matchAll(/^```ini\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    expect(dropIns).toHaveLength(2);
    for (const [at, text] of dropIns.entries()) {
      const { file, folder } = installed('grove.service');
      const drop = text.replace('User=me', 'User=daemon');
      writeFiles(folder, { 'grove.service.d/override.conf': drop });
      expect(verified(file, folder), `drop-in ${at}`).toEqual({ status: 0, about: [] });
      // Without its quotes it is told of, so it was read.
      writeFiles(folder, { 'grove.service.d/override.conf': drop.replaceAll(/"|\/home\//g, '') });
      expect(verified(file, folder).about, `drop-in ${at}`).not.toEqual([]);
    }
  });

  it('has little left that the service of the machine could do', () => {
    const { file } = installed('grove.service');
    const judged = execFileSync('systemd-analyze', ['security', '--offline=true', file], {
      encoding: 'utf8',
    });
    const [, exposure = '10'] = /Overall exposure level for grove\.service: ([\d.]+)/.exec(judged) ?? [];
    expect(Number(exposure)).toBeLessThan(2.5);
  });
});
