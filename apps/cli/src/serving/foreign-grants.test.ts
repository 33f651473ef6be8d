import { type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { temporaryFolder } from '@grove/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Run } from '../run.ts';
import { endForeignGrants } from './foreign-grants.ts';

const FORMER = 'https://old.example.org';

/** control.db as a start under an address has it, with a client that was let in under a former one. */
function controlAt(publicUrl: string): Control {
  const control = openControl({
    dataDir: temporaryFolder('grants'),
    clock: systemClock,
    resource: `${publicUrl}/mcp`,
  });
  onTestFinished(() => control.close());
  control.oauth.upsert('Grant', 'g1', {}, 3_600);
  control.grants.record({
    grantId: 'g1',
    account: 'owner',
    vault: 'garden',
    trailId: null,
    scopes: ['read'],
    askedToWrite: true,
    clientId: 'c',
    clientName: 'Claude',
    redirectHost: 'claude.ai',
    resource: `${FORMER}/mcp`,
  });
  return control;
}

function start(control: Control, publicUrl: string | null): string {
  const said: string[] = [];
  const stderr = { write: (text: string) => said.push(text) } as unknown as Run['stderr'];
  endForeignGrants({ stderr }, control, { publicUrl });
  return said.join('');
}

it('ends what was let in under another public address, and says whom', () => {
  const control = controlAt('https://new.example.org');
  expect(start(control, 'https://new.example.org')).toBe(
    'The public address is another one now (https://new.example.org). Connect once more: Claude\n',
  );
  expect(control.grants.list()[0]?.state).toBe('revoked');
  expect(start(control, 'https://new.example.org')).toBe('');
});

it.each([FORMER, null])('ends nothing at a start with %s', (publicUrl) => {
  const control = controlAt(publicUrl ?? 'http://127.0.0.1:9000');
  expect(start(control, publicUrl)).toBe('');
  expect(control.grants.list()[0]?.state).toBe('live');
});
