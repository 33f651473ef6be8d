import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openedControl } from '../testing/opened-control.ts';

const DAY = 86_400_000;
const PHRASE = 'correct horse battery';
const code = (name: string) => expect.objectContaining({ code: name });

describe('the owner’s passphrase', () => {
  it('is verified as it was typed, in whichever form of Unicode, and by no other text', async () => {
    const control = openedControl();
    expect(control.owner.isSet()).toBe(false);
    expect(await control.owner.verify('')).toBe(false);
    await control.owner.set('Caf\u00e9 at eleven');
    expect(control.owner.isSet()).toBe(true);
    const { owner } = control.again();
    expect(await owner.verify('Cafe\u0301 at eleven')).toBe(true);
    for (const other of ['Cafe at eleven', 'caf\u00e9 at eleven', ' Caf\u00e9 at eleven', '', '\ud800'])
      expect(await owner.verify(other), other).toBe(false);
  });

  it('replaces the one before, and counts', async () => {
    const { owner } = openedControl();
    expect(owner.generation()).toBe(0);
    await owner.set(PHRASE);
    await owner.set('another one altogether');
    expect(owner.generation()).toBe(2);
    expect(await owner.verify(PHRASE)).toBe(false);
  });

  it('is nowhere on disk', async () => {
    const control = openedControl();
    await control.owner.set(PHRASE);
    for (const name of readdirSync(control.dataDir))
      expect(readFileSync(join(control.dataDir, name)).includes(PHRASE)).toBe(false);
  });

  it.each([
    ['short', 'a b c d'],
    ['of few characters, each of several units', '🌱'.repeat(8)],
    ['long beyond measure', 'x'.repeat(1_025)],
    ['half a character', `${PHRASE}\ud800`],
    ['with a line end', `${PHRASE}\n`],
  ])('is refused when it is %s', async (_, phrase) => {
    const { owner } = openedControl();
    await expect(owner.set(phrase)).rejects.toThrow(code('bad_input'));
    expect(owner.isSet()).toBe(false);
  });
});

describe('the set-up token', () => {
  it('is good once', () => {
    const { owner } = openedControl();
    const token = owner.setupToken();
    expect(token).toMatch(/^setup_[\w-]{43}$/);
    expect(owner.isSetupToken(token)).toBe(true);
    expect([owner.useSetupToken(token), owner.useSetupToken(token)]).toEqual([true, false]);
    expect(owner.isSetupToken(token)).toBe(false);
    expect(owner.useSetupToken('setup_')).toBe(false);
  });

  it('ends with the next one, with a passphrase, and with its day', async () => {
    const { owner, clock } = openedControl();
    const first = owner.setupToken();
    const second = owner.setupToken();
    expect([owner.isSetupToken(first), owner.isSetupToken(second)]).toEqual([false, true]);
    clock.advance(2 * DAY);
    expect(owner.useSetupToken(second)).toBe(false);
    const third = owner.setupToken();
    await owner.set(PHRASE);
    expect(owner.useSetupToken(third)).toBe(false);
  });
});

describe('accounts elsewhere', () => {
  it('are bound by their numbers, and let go', () => {
    const { owner, clock, again } = openedControl();
    owner.bindUpstream('github', '583231');
    owner.bindUpstream('github', '583231');
    clock.advance(1);
    owner.bindUpstream('google', '110169484474386276334');
    const accounts = again().owner.upstreams();
    expect(accounts.map(({ provider, subject }) => [provider, subject])).toEqual([
      ['github', '583231'],
      ['google', '110169484474386276334'],
    ]);
    owner.unbindUpstream('github', '583231');
    owner.unbindUpstream('github', '583231');
    expect(owner.upstreams()).toHaveLength(1);
  });

  it.each([
    ['github', 'octocat'],
    ['github', '0'],
    ['github', ''],
    ['google', ''],
    ['google', 'two words'],
  ] as const)('are refused by name: %s %j', (provider, subject) => {
    const { owner } = openedControl();
    expect(() => owner.bindUpstream(provider, subject)).toThrow(code('bad_input'));
    expect(owner.upstreams()).toEqual([]);
  });
});
