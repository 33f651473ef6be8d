import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openControl } from '../control.ts';
import { letIn } from '../testing/let-in.ts';
import { openedControl, RESOURCE } from '../testing/opened-control.ts';
import { Retention } from './retention.ts';

const DAY = 86_400_000;
const ENTRY = {
  principal: { kind: 'key', id: 'k_000000000000', name: 'Laptop' },
  trail: null,
  client: null,
  vault: 'notes',
  tool: 'query',
  via: 'mcp',
  ms: 1,
  found: 1,
  withheld: null,
  outcome: 'ok',
  address: null,
  requestId: null,
} as const;

describe('what is kept no longer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lets what was begun between other work come to its end. */
  async function settle(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  it('goes soon after the opening, and once an hour', async () => {
    const first = openedControl();
    const { clock, dataDir } = first;
    const old = letIn(first);
    first.grants.revoke(old.grantId);
    const live = letIn(first);
    for (let at = 0; at < 5_000; at += 1) first.audit.record({ ...ENTRY, at: clock.now() });
    first.audit.flush();
    clock.advance(20 * DAY);
    first.audit.record({ ...ENTRY, at: clock.now() });
    first.audit.flush();
    const keeping = openControl({ dataDir, clock, resource: RESOURCE, retentionDays: 10 });
    expect(first.audit.sum().total.calls).toBe(5_001);
    vi.advanceTimersByTime(60_000);
    await settle();
    expect(first.audit.sum().total.calls).toBe(1);
    expect(first.grants.list().map(({ id }) => id)).toEqual([live.grantId]);
    expect(first.oauth.prune()).toBe(0);
    clock.advance(11 * DAY);
    vi.advanceTimersByTime(3_600_000);
    await settle();
    expect(first.audit.sum().total.calls).toBe(0);
    keeping.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stays where nobody says how long', async () => {
    const control = openedControl();
    control.audit.record({ ...ENTRY, at: 0 });
    vi.advanceTimersByTime(24 * 3_600_000);
    await settle();
    expect(control.audit.list()).toHaveLength(1);
  });

  it('is looked for again though a look failed', async () => {
    const control = openedControl();
    control.close();
    let looks = 0;
    const failing = () => {
      looks += 1;
      return control.oauth.prune();
    };
    const retention = new Retention([failing, () => 0]);
    vi.advanceTimersByTime(60_000);
    await settle();
    vi.advanceTimersByTime(3_600_000);
    await settle();
    expect(looks).toBe(2);
    retention.close();
  });
});
