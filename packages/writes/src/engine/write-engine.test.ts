import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { openedEngine } from '../testing/opened-engine.ts';

describeWithPrograms('a write', ['git'], () => {
  it('changes the file and commits exactly that path, so that git finds nothing to say', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Other.md': 'other\n' });
    const outcome = await vault.write('Plan.md', 'two\n');
    expect(vault.text('Plan.md')).toBe('two\n');
    await vault.engine.settled();
    expect(vault.git.run('rev-parse', 'HEAD').trim()).toBe(outcome.commit);
    expect(vault.git.run('show', '--format=%an|%cn|%s', '--name-only', 'HEAD').trim().split('\n')).toEqual([
      'Helper|Grove|Write Plan.md',
      '',
      'Plan.md',
    ]);
    expectSound(vault.git);
  });
});
