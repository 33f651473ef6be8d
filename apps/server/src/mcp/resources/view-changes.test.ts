import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTrailRules, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileRules, NO_LIMITS } from '../../rule-sources.ts';
import { type Garden, openGarden } from '../../testing/open-garden.ts';
import { ChangeBus } from './change-bus.ts';
import { type ViewChange, ViewChanges } from './view-changes.ts';

let garden: Garden;
beforeAll(async () => {
  garden = await openGarden({ 'Shed.md': 'one' });
});
afterAll(() => garden.close());

function changesFor(denyPaths: readonly string[] = []): { changes: ViewChanges; heard: ViewChange[] } {
  const rules = compileRules({ ...NO_LIMITS, denyPaths: [...denyPaths] });
  const changes = new ViewChanges(garden.opened.scope({ kind: 'key', id: 'k', name: 'k' }, rules));
  return { changes, heard: [] };
}

describe('changes of a View', () => {
  it('are told with what came, went or has another content, and nothing else', async () => {
    const { changes, heard } = changesFor();
    const stop = changes.listen((change) => heard.push(change));
    garden.write('Shed.md', 'two');
    await garden.opened.vault.reconcile();
    await expect
      .poll(() => heard)
      .toEqual([{ updated: ['Shed.md'], isOtherList: false, areOtherTags: false }]);
    // An index that asks for its rows again makes a delta in which nothing is different.
    await garden.opened.vault.redeliver(null);
    await rename(join(garden.root, 'Shed.md'), join(garden.root, 'Hut.md'));
    await garden.opened.vault.reconcile();
    await expect.poll(() => heard.length).toBe(2);
    expect(heard[1]?.isOtherList).toBe(true);
    expect(new Set(heard[1]?.updated)).toEqual(new Set(['Shed.md', 'Hut.md']));
    rmSync(join(garden.root, 'Hut.md'));
    await garden.opened.vault.reconcile();
    await expect
      .poll(() => heard[2])
      .toEqual({ updated: ['Hut.md'], isOtherList: true, areOtherTags: false });
    stop();
  });

  it('leave out what the View does not show', async () => {
    const whole = changesFor();
    const limited = changesFor(['Private']);
    const stops = [whole, limited].map(({ changes, heard }) =>
      changes.listen((change) => heard.push(change)),
    );
    garden.write('Private/Diary.md', 'another day');
    await garden.opened.vault.reconcile();
    await expect.poll(() => whole.heard.length).toBe(1);
    garden.write('Tomatoes.md', 'ripe');
    await garden.opened.vault.reconcile();
    await expect.poll(() => limited.heard.length).toBe(1);
    expect(limited.heard).toEqual([{ updated: ['Tomatoes.md'], isOtherList: false, areOtherTags: true }]);
    for (const stop of stops) stop();
  });

  it('tell a trail that a note went which it may see no more, and came which it may; of others nothing', async () => {
    const rules = trailViewRules(parseTrailRules({ allowTags: ['club'] }));
    const guest = { kind: 'trail', id: 'k_guest', name: 'Guest' } as const;
    const changes = new ViewChanges(garden.opened.scope(guest, rules, { scopes: ['read'], trail: true }));
    const heard: ViewChange[] = [];
    const stop = changes.listen((change) => heard.push(change));
    const write = async (path: string, text: string): Promise<void> => {
      garden.write(path, text);
      await garden.opened.vault.reconcile([path]);
    };
    await write('Other.md', 'no club of theirs');
    await write('Log.md', '#club first');
    await expect.poll(() => heard.length).toBe(1);
    await write('Log.md', '#club second');
    await write('Other.md', 'still none');
    await expect.poll(() => heard.length).toBe(2);
    await write('Log.md', '---\nprivate: true\n---\n#club third');
    await expect.poll(() => heard.length).toBe(3);
    await write('Log.md', '---\nprivate: true\n---\n#club fourth');
    await write('Other.md', '---\ntags: [club\n---\n#club');
    // As programs do that write a file by emptying it first: there is nothing to tell before it says something.
    await write('Log.md', '');
    await write('Log.md', '#club fifth');
    await expect.poll(() => heard.length).toBe(4);
    expect(heard).toEqual([
      { updated: ['Log.md'], isOtherList: true, areOtherTags: true },
      { updated: ['Log.md'], isOtherList: false, areOtherTags: false },
      { updated: ['Log.md'], isOtherList: true, areOtherTags: true },
      { updated: ['Log.md'], isOtherList: true, areOtherTags: true },
    ]);
    stop();
  });

  it('are looked at only while somebody listens', () => {
    const { changes } = changesFor();
    const scope = garden.opened.scope({ kind: 'key', id: 'k', name: 'k' }, undefined, { scopes: ['read'] });
    const bus = new ChangeBus({ scope, changes, onTools: () => () => {} }, () => {});
    expect(changes.isAttached).toBe(false);
    const [first, second] = [bus.subscribe(() => {}), bus.subscribe(() => {})];
    const third = changes.listen(() => {});
    expect(changes.isAttached).toBe(true);
    first();
    first();
    third();
    expect(changes.isAttached).toBe(true);
    second();
    expect(changes.isAttached).toBe(false);
    bus.subscribe(() => {})();
    expect(changes.isAttached).toBe(false);
  });
});
