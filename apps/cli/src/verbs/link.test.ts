import { readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { linkCommand } from './link.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('a link');
});

describe('linkCommand', () => {
  it('links the command, and again without a change', () => {
    const bin = join(folder, 'bin');
    expect(linkCommand('/opt/grove/bin/grove', bin)).toEqual({ path: join(bin, 'grove'), created: true });
    expect(readlinkSync(join(bin, 'grove'))).toBe('/opt/grove/bin/grove');
    expect(linkCommand('/opt/grove/bin/grove', bin).created).toBe(false);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, '#!/bin/sh\n')],
    ['a link elsewhere', (path: string) => symlinkSync('/usr/bin/other', path)],
    ['a link to nothing', (path: string) => symlinkSync('/nonexistent/other', path)],
  ])('leaves %s alone', (_, make) => {
    make(join(folder, 'grove'));
    expect(() => linkCommand('/opt/grove/bin/grove', folder)).toThrow(/something else/);
  });

  it('writes a .cmd file on Windows', () => {
    const { path } = linkCommand('C:\\grove\\bin\\grove.cmd', folder, 'win32');
    expect(readFileSync(path, 'utf8')).toBe('@"C:\\grove\\bin\\grove.cmd" %*\r\n');
    expect(linkCommand('C:\\grove\\bin\\grove.cmd', folder, 'win32').created).toBe(false);
  });
});

describe('grove link', () => {
  it('says when the folder is not on the PATH', async () => {
    const { code, stdout } = await runGrove(['link', '--dir', folder]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Linked ${join(folder, 'grove')}`);
    expect(stdout).toContain('is not on the PATH');
  });

  it('answers as JSON, and knows the PATH', async () => {
    const { stdout } = await runGrove(['link', '--dir', folder, '--json'], {
      env: { PATH: `/usr/bin:${folder}` },
    });
    expect(JSON.parse(stdout)).toEqual({ path: join(folder, 'grove'), created: true, on_path: true });
  });
});
