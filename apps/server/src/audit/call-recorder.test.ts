import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { openGarden } from '../testing/open-garden.ts';
import { CallRecorder } from './call-recorder.ts';

it('writes down the first calls of a minute that came too often, of each holder', async () => {
  const garden = await openGarden();
  const control = openControl({ dataDir: garden.dataDir, clock: systemClock });
  const recorder = new CallRecorder(control.audit, createLog('silent'));
  let now = Date.now();
  const record = (id: string, trail: string | undefined, outcome: string): void => {
    const principal = {
      kind: 'trail',
      id,
      name: 'Guest',
      ...(trail === undefined ? {} : { trail }),
    } as const;
    const scope = {
      ...garden.opened.scope(principal, undefined, { scopes: ['read'] }),
      clock: { now: () => now },
    };
    const call = {
      client: null,
      vault: 'garden',
      tool: 'get',
      via: 'rest',
      ms: 1,
      search: null,
      requestId: null,
    } as const;
    recorder.record({ ...call, scope, outcome });
  };
  const count = (): number => control.audit.list({ limit: 1_000 }).length;
  // Two tokens of one trail.
  for (let call = 0; call < 100; call += 1) record(`k_${call % 2}`, 't_1', 'rate_limited');
  expect(count()).toBe(60);
  record('k_3', 't_2', 'rate_limited');
  record('k_4', undefined, 'rate_limited');
  for (let call = 0; call < 100; call += 1) record('k_1', 't_1', 'note_not_found');
  expect(count()).toBe(162);
  now += 60_000;
  record('k_1', 't_1', 'rate_limited');
  expect(count()).toBe(163);
  await recorder.close();
  control.close();
  await garden.close();
});
