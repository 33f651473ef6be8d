import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { parseTrailRules } from '@grove/trails';
import { describe, expect, it } from 'vitest';
import { letIn, makeTrail } from '../testing/let-in.ts';
import { inAnotherProcess, openedControl, openedDatabase } from '../testing/opened-control.ts';

const WAYS = ['disable-trail', 'remove-trail'] as const;

describe('what another process changes', () => {
  it.each(WAYS)('ends what was opened by a trail here: %s', async (verb) => {
    const control = openedControl();
    const { trail, token, invite } = makeTrail(control);
    const other = makeTrail(control, { name: 'Other' });
    const client = letIn(control, { account: `trail:${trail.id}`, trailId: trail.id });
    const credentials = [token, client.token].map((one) => control.credentials.verify(one)?.credential ?? '');
    const kept = control.credentials.verify(other.token)?.credential ?? '';
    const ended: string[] = [];
    control.credentials.onEnded((one) => ended.push(one));
    await inAnotherProcess(control.dataDir, verb, trail.id);
    for (const one of [token, client.token]) expect(control.credentials.verify(one)).toBeNull();
    expect(control.trails.byInvite(invite)).toBeNull();
    while (ended.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ended.sort()).toEqual(credentials.sort());
    expect(control.credentials.isLive(kept)).toBe(true);
  });

  it('ends a grant here', async () => {
    const control = openedControl();
    const { grantId, token } = letIn(control);
    expect(control.credentials.verify(token)).not.toBeNull();
    await inAnotherProcess(control.dataDir, 'revoke-grant', grantId);
    expect(control.credentials.verify(token)).toBeNull();
    expect(control.oauth.find('AccessToken', token)).toBeUndefined();
  });

  it('makes the secrets of the server one time, though several want them first', async () => {
    const dataDir = join(temporaryFolder('control'), 'data');
    const made = await Promise.all([1, 2, 3].map(() => inAnotherProcess(dataDir, 'secrets', '')));
    expect(new Set(made.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  });
});

describe('a disk that is full', () => {
  it('says so, shows no secret that could not be kept, and leaves what was there', () => {
    const { control, database } = openedDatabase(temporaryFolder('control'));
    const before = makeTrail(control);
    const pages = Number(database.prepare('PRAGMA page_count').get()?.page_count);
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const many = Array.from({ length: 200 }, (_, index) => `Folder ${index}`);
    const rules = parseTrailRules({ allowPaths: many, denyPaths: many });
    const full = expect.objectContaining({ code: 'data_unwritable', data: { reason: 'the disk is full' } });
    expect(() => {
      for (let at = 0; at < 100; at += 1) makeTrail(control, { name: `Large ${at}`, rules });
    }).toThrow(full);
    const kept = control.trails.list().length;
    expect(() => control.trails.update(before.trail.id, { rules })).toThrow(full);
    expect(() => control.oauth.upsert('AccessToken', 'x', { long: 'x'.repeat(1e6) }, 60)).toThrow(full);
    expect(control.credentials.verify(before.token)?.trail?.rules).toEqual(before.trail.rules);
    database.exec(`PRAGMA max_page_count = ${pages + 1_000}`);
    expect(control.trails.list()).toHaveLength(kept);
    expect(control.keys.list({ trail: 'any' })).toHaveLength(kept);
    expect(makeTrail(control, { name: 'Later', rules }).trail.state).toBe('live');
  });
});
