import { join } from 'node:path';
import { type AuditEntry, type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { runAtTerminal } from '../testing/terminal-run.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

/** Each command is a process of its own, of which a busy machine runs one in many seconds. */
const PATIENT = { timeout: 600_000 };

let scratch: Scratch;
let control: Control;
let args: string[];
beforeAll(async () => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
  await runGrove(['keys', 'create', 'first', ...args]);
  control = openControl({ dataDir: scratch.data, clock: systemClock });
});
afterAll(() => {
  control.close();
  scratch.remove();
});

describe('grove clients', PATIENT, () => {
  it('makes a client whose secret is shown once, lists it and takes it away', async () => {
    const uris = ['https://one.example/back', 'http://localhost:9000/back'];
    const made = await runGrove(['clients', 'create', 'Reader', ...uris, ...args]);
    const [id = '', secret = ''] = made.stdout.split('\n');
    expect(control.clients.verifySecret(id, secret)).toBe(true);
    expect(made.stderr).toContain('Made the client "Reader"');
    const listed = await runGrove(['clients', 'list', ...args, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ clients: [{ client_id: id, redirect_uris: uris }] });
    expect(listed.stdout).not.toContain(secret);
    expect((await runGrove(['clients', 'list', ...args])).stdout).toContain(`${id}  Reader`);
    const removed = await runGrove(['clients', 'remove', 'Reader', ...args]);
    expect(removed.stdout).toBe(`Removed the client "Reader" (${id}).\n`);
    expect(control.clients.list()).toEqual([]);
    expect((await runGrove(['clients', 'remove', 'Reader', ...args])).stderr).toContain('There is no client');
  });

  it.each(['http://elsewhere.example/back', 'javascript:alert(1)', 'back', 'https://a.example/#x'])(
    'refuses the redirect address %s',
    async (uri) => {
      const { code, stderr } = await runGrove(['clients', 'create', 'Odd', uri, ...args]);
      expect(code).toBe(1);
      expect(stderr).toContain('redirect address');
    },
  );
});

describe('grove grants', PATIENT, () => {
  it('lists what clients were let in to, and ends one', async () => {
    const none = await runGrove(['grants', 'list', ...args]);
    expect(none.stdout).toBe('No OAuth client was let in to my-garden.\n');
    control.oauth.upsert('Grant', 'a-grant', {}, 3_600);
    control.grants.record({
      grantId: 'a-grant',
      account: 'owner',
      vault: 'my-garden',
      trailId: null,
      scopes: ['read', 'write'],
      askedToWrite: true,
      clientId: 'client',
      clientName: 'Claude',
      redirectHost: 'claude.ai',
      resource: 'https://notes.example/mcp',
    });
    const { stdout } = await runGrove(['grants', 'list', ...args]);
    expect(stdout).toMatch(/^a-grant +Claude +claude\.ai +read,write +just now +never +live$/m);
    const revoked = await runGrove(['grants', 'revoke', 'a-grant', ...args, '--json']);
    expect(JSON.parse(revoked.stdout)).toMatchObject({ grant: { id: 'a-grant', state: 'revoked' } });
    expect((await runGrove(['grants', 'revoke', 'none', ...args])).stderr).toContain(
      'There is no grant "none"',
    );
  });
});

describe('grove audit', PATIENT, () => {
  const entry: AuditEntry = {
    at: Date.now(),
    principal: { kind: 'key', id: 'k_000000000000', name: 'first' },
    trail: null,
    client: null,
    vault: 'my-garden',
    tool: 'query',
    via: 'mcp',
    ms: 3.21,
    found: 4,
    withheld: null,
    outcome: 'ok',
    address: null,
    requestId: 'r',
  };

  it('shows calls of the vault and sign-ins, by key, trail, time and outcome', async () => {
    const [key] = control.keys.list();
    const own = { ...entry, principal: { ...entry.principal, id: key!.id } };
    control.audit.record({ ...own, at: entry.at - 86_400_000 });
    control.audit.record({ ...own, tool: 'get', outcome: 'note_not_found', found: 0 });
    control.audit.record({
      ...entry,
      vault: 'elsewhere',
      principal: { ...entry.principal, name: 'stranger' },
    });
    control.audit.record({
      ...entry,
      vault: '',
      tool: 'sign_in',
      via: 'oauth',
      address: '192.0.2.7',
      outcome: 'wrong_passphrase',
    });
    control.audit.flush();
    const tools = async (...words: string[]): Promise<string[]> => {
      const { stdout } = await runGrove(['audit', ...words, ...args, '--json']);
      return JSON.parse(stdout).entries.map(({ tool }: { readonly tool: string }) => tool);
    };
    expect(await tools()).toEqual(['sign_in', 'get', 'query']);
    expect(await tools('--key', 'first')).toEqual(['get', 'query']);
    expect(await tools('--key', 'first', '--since', '12h')).toEqual(['get']);
    expect(await tools('--refused')).toEqual(['sign_in', 'get']);
    expect(await tools('--tool', 'query', '--limit', '1')).toEqual(['query']);
    const { stdout } = await runGrove(['audit', ...args]);
    expect(stdout).toMatch(/first +get +mcp +3\.2 +0 +note_not_found$/m);
    expect(stdout).toMatch(/sign_in +oauth +3\.2 +4 +wrong_passphrase +192\.0\.2\.7$/m);
    expect(stdout).not.toContain('stranger');
    control.audit.record({
      ...entry,
      tool: 'past',
      trail: 't_gone00000000',
      principal: { ...entry.principal, id: 'k_gone00000000' },
    });
    control.audit.flush();
    for (const [option, id] of [
      ['--trail', 't_gone00000000'],
      ['--key', 'k_gone00000000'],
    ] as const)
      expect(await tools(option, id)).toEqual(['past']);
    const unknown = await runGrove(['audit', '--trail', 'nobody', ...args]);
    expect(unknown.stderr).toContain('There is no trail "nobody"');
  });
});

describe('grove passphrase set', PATIENT, () => {
  it('takes it from stdin and from a file', async () => {
    const piped = await runGrove(['passphrase', 'set', ...args], { input: 'correct horse battery\n' });
    expect(piped).toMatchObject({ code: 0, stdout: 'The passphrase is set.\n', stderr: '' });
    expect(await control.owner.verify('correct horse battery')).toBe(true);
    scratch.write('phrase.txt', 'another one here\n');
    const file = join(scratch.vault, 'phrase.txt');
    await runGrove(['passphrase', 'set', '--file', file, ...args]);
    expect(await control.owner.verify('another one here')).toBe(true);
    expect(await control.owner.verify('correct horse battery')).toBe(false);
  });

  it('asks twice at a terminal, and shows nothing of it', async () => {
    const twice = runAtTerminal(['passphrase', 'set', ...args]);
    await twice.answer('New passphrase', 'typed by hand 1');
    await twice.answer('Once more', 'typed by hand 1');
    await twice.done;
    expect(await control.owner.verify('typed by hand 1')).toBe(true);
    expect(twice.shown()).not.toContain('typed');
    const differing = runAtTerminal(['passphrase', 'set', ...args]);
    await differing.answer('New passphrase', 'typed by hand 2');
    await differing.answer('Once more', 'typed by hand 3');
    await expect(differing.done).rejects.toMatchObject({ code: 'bad_input' });
    const left = runAtTerminal(['passphrase', 'set', ...args]);
    await left.answer('New passphrase', 'typed by hand 4');
    left.hangUp();
    await expect(left.done).rejects.toMatchObject({ code: 'bad_input' });
    expect(await control.owner.verify('typed by hand 1')).toBe(true);
  });

  it('refuses one that is short and changes nothing', async () => {
    const generation = control.owner.generation();
    const { code, stderr } = await runGrove(['passphrase', 'set', ...args], { input: 'short\n' });
    expect({ code, said: stderr.includes('needs 12 at least') }).toEqual({ code: 1, said: true });
    expect(control.owner.generation()).toBe(generation);
  });
});
