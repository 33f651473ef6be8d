import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { SETTING_NAMES } from './table.ts';

it('--print-config shows each setting with where it comes from, and no secret', async () => {
  const home = temporaryFolder('print-config');
  mkdirSync(join(home, '.config', 'grove'), { recursive: true });
  const file = join(home, '.config', 'grove', 'config.yaml');
  writeFileSync(file, 'audit-days: 30\nsync-token: hidden-1\n', { mode: 0o600 });
  const env = {
    HOME: home,
    GROVE_HOST: '127.0.0.2',
    GROVE_EMBEDDER: 'openai',
    GROVE_EMBEDDER_URL: 'https://models.example/v1?key=hidden-2',
    GROVE_EMBEDDER_MODEL: 'm',
    GROVE_EMBEDDER_KEY: 'hidden-3',
  };
  const args = ['start', '--print-config', '--port', '9000', '--read-only', '--vault', 'a', '--vault', 'b'];
  const told = await runGrove([...args, '--json'], { env });
  expect(told).toMatchObject({ code: 0, stderr: '' });
  const { config_file, settings } = JSON.parse(told.stdout);
  expect(config_file).toBe(file);
  expect(settings).toHaveLength(SETTING_NAMES.length);
  const of = (name: string) => settings.find((one: { readonly name: string }) => one.name === name);
  expect(of('port')).toEqual({ name: 'port', variable: 'GROVE_PORT', value: 9000, source: 'flag' });
  expect(of('vault')).toMatchObject({ value: ['a', 'b'], source: 'flag' });
  expect(of('read-only')).toMatchObject({ value: true, source: 'flag' });
  expect(of('host')).toMatchObject({ value: '127.0.0.2', source: 'environment' });
  expect(of('audit-days')).toMatchObject({ value: 30, source: 'file' });
  expect(of('sync-token')).toMatchObject({ value: '********', source: 'file' });
  expect(of('embedder-url')).toMatchObject({ value: 'https://models.example/v1?********' });
  expect(of('log-level')).toMatchObject({ value: 'warn', source: 'default' });
  const text = await runGrove(args, { env });
  expect(text.stdout).toMatch(/^port +9000 +flag$/m);
  expect(text.stdout).toMatch(/^github-client-id +- +default$/m);
  expect(told.stdout + text.stdout).not.toContain('hidden-');
});

it('stdio takes the settings that mean something without HTTP', async () => {
  const { code, stdout } = await runGrove(['stdio', '--print-config', '--deny-paths', 'Private', '--poll']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^deny-paths +Private +flag$/m);
  expect(stdout).toMatch(/^poll +on +flag$/m);
  const refused = await runGrove(['stdio', '--print-config', '--port', '1']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown option '--port'") });
});

it('a switch can be turned off by its flag', async () => {
  for (const off of [['--read-only', 'off'], ['--read-only=off']]) {
    const { stdout } = await runGrove(['start', '--print-config', ...off], { env: { GROVE_READ_ONLY: '1' } });
    expect(stdout).toMatch(/^read-only +off +flag$/m);
  }
});

it('every verb takes the file with settings, and says in a sentence what is wrong with it', async () => {
  const home = temporaryFolder('print-config');
  writeFileSync(join(home, 'mine.yaml'), 'data: state\nvault: [one, two]\n');
  const list = await runGrove(['status', '--config', join(home, 'mine.yaml')]);
  expect(list).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Name one with --vault: one, two.'),
  });
  writeFileSync(join(home, 'mine.yaml'), 'deny: [Private]\n');
  const refused = await runGrove(['status', `--config=${join(home, 'mine.yaml')}`]);
  expect(refused.stderr).toContain('has "deny", which is not a setting; did you mean deny-paths?');
  expect(refused.stderr.split('\n')).toHaveLength(3);
});

it('help asks for no settings', async () => {
  const broken = { env: { GROVE_PORT: 'many' } };
  expect((await runGrove(['start', '--help'], broken)).code).toBe(0);
  expect((await runGrove(['status'], broken)).stderr).toContain('GROVE_PORT is no port');
});
