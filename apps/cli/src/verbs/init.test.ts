import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { end } from '@grove/testing';
import { readVaultFile } from '@grove/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove, spawnGrove } from '../testing/processes.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch();
  for (const at of [1, 2, 3, 4])
    scratch.write(
      `People/Person ${at}.md`,
      `---\ntype: person\nborn: 19${at}0-01-01\nknows: "[[Ada]]"\ntags: [person]\n---\n`,
    );
});
afterEach(() => scratch.remove());

const init = (...words: string[]) =>
  runGrove(['init', ...words, '--vault', scratch.vault, '--data', scratch.data]);
const file = () => join(scratch.vault, '.grove', 'vault.yaml');
const written = () => readFileSync(file(), 'utf8');

describe('grove init', () => {
  it('prints rules that say what the notes do, and writes nothing', async () => {
    const { code, stdout, stderr } = await init();
    expect(code).toBe(0);
    expect(stdout).toContain('  person:\n    folder: People # all 4\n');
    expect(stdout).toContain('      born: date # all 4\n      knows: link # all 4\n');
    expect(readVaultFile(stdout)).toMatchObject({ remarks: [], file: { tags_include_type: true } });
    expect(stderr).toContain('Nothing was written');
    expect(existsSync(join(scratch.vault, '.grove'))).toBe(false);
  });

  it('writes them with --write, never over a file that is there', async () => {
    expect((await init('--write')).code).toBe(0);
    expect(readVaultFile(written()).file?.types).toHaveProperty('person');
    scratch.write('.grove/vault.yaml', 'zone: Europe/Berlin\n');
    const again = await init('--write');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('--force');
    expect(written()).toBe('zone: Europe/Berlin\n');
    const shown = await init();
    expect(shown.stderr).toContain('left alone');
    expect((await init('--write', '--force')).code).toBe(0);
    expect(written()).toContain('person:');
    expect(readFileSync(`${file()}.old`, 'utf8')).toBe('zone: Europe/Berlin\n');
    expect(readdirSync(join(scratch.vault, '.grove')).sort()).toEqual(['vault.yaml', 'vault.yaml.old']);
  });

  it('answers as JSON', async () => {
    const { code, stdout, stderr } = await init('--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      file: '.grove/vault.yaml',
      exists: false,
      written: false,
      habits: { types: [{ name: 'person', notes: 4, folder: { path: 'People' } }] },
    });
    expect(readVaultFile(answer.yaml).remarks).toEqual([]);
  });

  it('writes through no link', async () => {
    const outside = join(scratch.folder, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, join(scratch.vault, '.grove'));
    const { code, stderr } = await init('--write');
    expect(code).toBe(1);
    expect(stderr).toContain('no folder of its own');
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(scratch.vault, '.grove'));
    mkdirSync(join(scratch.vault, '.grove'));
    symlinkSync(join(outside, 'x'), file());
    expect((await init('--write')).code).toBe(1);
    expect((await init('--write', '--force')).code).toBe(1);
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(readdirSync(outside)).toEqual([]);
  });

  it('works beside a server that has the vault open', async () => {
    const server = spawnGrove(['start', '--vault', scratch.vault, '--data', scratch.data, '--json']);
    try {
      await once(server.stdout, 'data');
      expect((await init('--write')).code).toBe(0);
      expect(readVaultFile(written()).remarks).toEqual([]);
      expect(server.exitCode).toBeNull();
    } finally {
      await end(server);
    }
  });

  it('reads nothing that the policy hides', async () => {
    const { stdout } = await runGrove(['init', '--vault', scratch.vault, '--data', scratch.data], {
      env: { GROVE_DENY_PATHS: 'People' },
    });
    expect(stdout).not.toContain('person');
  });

  it('keeps off a vault that may only be read', async () => {
    const { code } = await runGrove(['init', '--write', '--vault', scratch.vault, '--data', scratch.data], {
      env: { GROVE_READ_ONLY: 'on' },
    });
    expect(code).toBe(1);
    expect(existsSync(join(scratch.vault, '.grove'))).toBe(false);
  });
});
