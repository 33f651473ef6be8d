import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { openedEngine, wholeWrite } from '../testing/opened-engine.ts';

const YEAR_MS = 365 * 86_400_000;

describeWithPrograms('a vault whose clock is put back', ['git'], () => {
  it('goes on: writes, retries and the history stay in order, also over a restart', async () => {
    let now = 1_780_000_000_000;
    const vault = await openedEngine({ 'Plan.md': 'one\n' }, { clock: { now: () => now } });
    const idempotency = { key: 'k', bodyHash: 'body' };
    const request = wholeWrite('Plan.md', 'two\n', { idempotency });
    const first = await vault.engine.apply(request);
    now -= YEAR_MS;
    // What was done before is known to be done.
    expect(await vault.engine.apply(request)).toEqual({ ...first, replayed: true });
    await vault.write('Plan.md', 'three\n');
    await vault.engine.settled();
    await vault.again();
    await vault.write('New.md', 'new\n');
    await vault.write('Plan.md', null);
    await vault.engine.settled();
    expect([vault.text('Plan.md'), vault.text('New.md')]).toEqual([null, 'new\n']);
    expect(vault.git.run('log', '--format=%s').split('\n').slice(0, 5)).toEqual([
      'Write Plan.md',
      'Write New.md',
      'Write Plan.md',
      'Write Plan.md',
      'Begin',
    ]);
    expectSound(vault.git);
    expect(vault.problems).toEqual([]);
  });
});
