import { describe, expect, it } from 'vitest';
import { runGrove } from './testing/processes.ts';

describe('the command line', () => {
  it('shows every verb in its help', async () => {
    const { code, stdout } = await runGrove(['--help']);
    expect(code).toBe(0);
    for (const verb of [
      'start',
      'stdio',
      'connect',
      'keys',
      'trails',
      'grants',
      'clients',
      'audit',
      'passphrase',
      'search',
      'get',
      'list',
      'status',
      'history',
      'graph',
      'digest',
      'diagnostics',
      'write',
      'append',
      'prepend',
      'replace',
      'edit',
      'tags',
      'set',
      'revert',
      'discover',
      'move',
      'delete',
      'restore',
      'approve',
      'vault',
      'init',
      'reindex',
      'doctor',
      'link',
    ])
      expect(stdout).toMatch(new RegExp(`^  ${verb}\\b`, 'm'));
  });

  it('shows the options of a verb', async () => {
    const { code, stdout } = await runGrove(['search', '--help']);
    expect(code).toBe(0);
    for (const option of ['--vault', '--data', '--json', '--limit', '--regex', '--explain'])
      expect(stdout).toContain(option);
  });

  it('shows only options that mean something for the verb, and no empty defaults', async () => {
    const help = async (verb: string) => (await runGrove([verb, '--help'])).stdout;
    expect(await help('start')).toContain('may repeat');
    expect(await help('search')).not.toContain('default: []');
    expect(await help('stdio')).not.toContain('--json');
    const link = await help('link');
    expect(link).not.toContain('--vault');
    expect(link).toContain('(default: "');
  });

  it.each([
    [['serch', 'x'], 'search'],
    [['search', 'x', '--lmit', '3'], '(see grove search --help)'],
    [['search'], 'missing required argument'],
    [['search', 'x', '--limit', 'many'], 'whole number'],
    [['get', 'x', '--formt', 'raw'], '--format'],
  ])('exits 2 on %j', async (args, said) => {
    const { code, stdout, stderr } = await runGrove(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });

  it.each([
    [
      ['serch', 'x'],
      /^The input is not valid: unknown command 'serch' \(Did you mean search\?\)\.$/,
      / --help\.$/,
    ],
    [['search', 'x', '--lmit', '3'], /unknown option '--lmit'/, / search --help\.$/],
    [['search'], /missing required argument 'words'/, / search --help\.$/],
    [['search', 'x', '--limit', 'many'], /'many' is invalid\. .*whole number[^.]*\.$/, / search --help\.$/],
    [['keys', 'creat'], /unknown command 'creat'/, / keys --help\.$/],
    [['keys'], /part of the command is missing/, / keys --help\.$/],
  ])('says so as JSON where that is asked for: %j', async (args, message, next) => {
    const { code, stdout, stderr } = await runGrove([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      error: {
        code: 'bad_input',
        message: expect.stringMatching(message),
        next: expect.stringMatching(next),
      },
    });
  });

  it('shows help as text all the same', async () => {
    const { code, stdout } = await runGrove(['keys', '--json', '--help']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Usage: grove keys/) });
  });

  it('says one sentence and a hint, without a stack, when the vault is not there', async () => {
    const { code, stdout, stderr } = await runGrove([
      'search',
      'x',
      '--vault',
      '/dev/null/vault',
      '--data',
      '/dev/null/data',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The vault folder is not there\.\nLooked for \/dev\/null\/vault\..*\n$/);
  });

  it.each(['status', 'keys list'])('says what opens one where no vault is known: %s', async (verb) => {
    const { code, stdout } = await runGrove([...verb.split(' '), '--data', '/dev/null/data', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'vault_none',
      next: expect.stringContaining('--vault DIR'),
    });
  });

  it('refuses a misspelt setting before anything is read', async () => {
    const { code, stderr } = await runGrove(['list'], { env: { GROVE_DENY_PATH: 'Private' } });
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean GROVE_DENY_PATHS?');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
