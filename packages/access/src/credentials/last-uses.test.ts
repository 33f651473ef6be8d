import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openedControl } from '../testing/opened-control.ts';

const MINUTE = 60_000;

/** The time of last use that is on disk. */
function onDisk(path: string, id?: string): unknown {
  const database = new DatabaseSync(path);
  try {
    const sql = 'SELECT last_used_at FROM keys WHERE id = coalesce(?, id)';
    return database.prepare(sql).get(id ?? null)?.last_used_at;
  } finally {
    database.close();
  }
}

describe('the last use of a key', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const used = () => {
    const control = openedControl();
    const { key, token } = control.keys.create({ name: 'Laptop', vault: 'notes' });
    const use = () => {
      control.clock.advance(1_000);
      control.credentials.verify(token);
      return control.clock.now();
    };
    return { ...control, id: key.id, token, use };
  };

  it('is written soon, and then once a minute at most', () => {
    const { keys, id, path, use } = used();
    const first = use();
    expect(onDisk(path)).toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(onDisk(path)).toBe(first);
    use();
    vi.advanceTimersByTime(MINUTE / 2);
    const last = use();
    expect(onDisk(path)).toBe(first);
    expect(keys.find(id).lastUsedAt).toBe(last);
    vi.advanceTimersByTime(MINUTE / 2);
    expect(onDisk(path)).toBe(last);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is written soon where it is the first, whatever was written before', () => {
    const { keys, credentials, path, id, use } = used();
    const other = keys.create({ name: 'Phone', vault: 'notes' });
    use();
    vi.advanceTimersByTime(1_000);
    const last = use();
    credentials.verify(other.token);
    vi.advanceTimersByTime(1_000);
    expect(onDisk(path, other.key.id)).toBe(last);
    expect(onDisk(path, id)).toBe(last);
    use();
    vi.advanceTimersByTime(MINUTE - 1);
    expect(onDisk(path, id)).toBe(last);
  });

  it('is written at close, and not by a token that is not good', () => {
    const { credentials, path, use, close, token } = used();
    credentials.verify(`${token.slice(0, -1)}!`);
    expect(vi.getTimerCount()).toBe(0);
    const last = use();
    close();
    expect(onDisk(path)).toBe(last);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits where another holds the file, and fails no call', () => {
    const { path, use } = used();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    use();
    vi.advanceTimersByTime(1_000);
    const last = use();
    other.exec('ROLLBACK');
    other.close();
    expect(onDisk(path)).toBeNull();
    vi.advanceTimersByTime(MINUTE);
    expect(onDisk(path)).toBe(last);
  });

  it('never goes back', () => {
    const { again, token, path, use, clock } = used();
    const late = again();
    const last = use();
    clock.advance(-500);
    late.credentials.verify(token);
    vi.advanceTimersByTime(1_000);
    expect(onDisk(path)).toBe(last);
  });
});
