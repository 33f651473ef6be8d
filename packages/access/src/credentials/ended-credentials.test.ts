import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openedControl } from '../testing/opened-control.ts';

const HOUR = 3_600_000;

function listening() {
  const control = openedControl();
  const ended: string[] = [];
  const stop = control.credentials.onEnded((credential) => ended.push(credential));
  const make = (name: string, expiresAt: number | null = null) => {
    const { key, token } = control.keys.create({ name, vault: 'notes', expiresAt });
    return { id: key.id, token, credential: control.credentials.verify(token)?.credential };
  };
  return { ...control, ended, stop, make };
}

describe('onEnded', () => {
  it('hears what is revoked, rotated or removed here before the call returns', () => {
    const { credentials, keys, ended, make } = listening();
    const [one, two, three] = [make('One'), make('Two'), make('Three')];
    keys.revoke(one.id);
    expect(ended).toEqual([one.credential]);
    const { token } = keys.rotate(two.id);
    keys.remove(three.id);
    expect(ended).toEqual([one.credential, two.credential, three.credential]);
    const again = credentials.verify(token)?.credential;
    keys.revoke(two.id);
    keys.revoke(two.id);
    expect(ended.slice(3)).toEqual([again]);
  });

  it('hears nothing of tokens that never verified here', () => {
    const { keys, ended } = listening();
    const { key } = keys.create({ name: 'Unused', vault: 'notes' });
    keys.revoke(key.id);
    expect(ended).toEqual([]);
  });

  it('tells each listener, until it stops', () => {
    const { credentials, keys, ended, stop, make } = listening();
    const more: string[] = [];
    credentials.onEnded((credential) => more.push(credential));
    const [one, two] = [make('One'), make('Two')];
    keys.revoke(one.id);
    stop();
    keys.revoke(two.id);
    expect(ended).toEqual([one.credential]);
    expect(more).toEqual([one.credential, two.credential]);
  });
});

describe('the passing of time', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends what expires, within half a second', () => {
    const { clock, ended, make } = listening();
    const { credential } = make('Short', clock.now() + HOUR);
    make('Long', clock.now() + 2 * HOUR);
    vi.advanceTimersByTime(500);
    expect(ended).toEqual([]);
    clock.advance(HOUR);
    vi.advanceTimersByTime(500);
    expect(ended).toEqual([credential]);
    vi.advanceTimersByTime(500);
    expect(ended).toHaveLength(1);
  });

  it('is looked at only while someone listens', () => {
    const { credentials, stop, close } = listening();
    credentials.onEnded(() => {});
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(1);
    close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
