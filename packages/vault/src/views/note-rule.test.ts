import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { NoteRule, View, ViewChange, ViewRules } from '../view.ts';
import { allowAll, parsePathRule } from './path-rule.ts';

const OPEN_NOTES: NoteRule = {
  source: 'not private',
  admitsType: () => true,
  admits: (note) => !note.private && note.frontmatterStatus !== 'unclosed',
};
const RULES: ViewRules = { ...allowAll, notes: OPEN_NOTES };

function pathsIn(view: View): string[] {
  return view.notes().map(({ path }) => path);
}

describe('a View with a rule about notes', () => {
  it('shows what the rule and the paths admit, and is never the owner’s', async () => {
    await using folder = await temporaryVault({
      'A/Open.md': 'one',
      'A/Shut.md': '---\nprivate: true\n---\ntwo',
      'B/Open.md': 'three',
    });
    const vault = await folder.open({ poll: true });
    const view = vault.view(RULES);
    expect(pathsIn(view)).toEqual(['A/Open.md', 'B/Open.md']);
    expect(view.isOwner).toBe(false);
    expect(view.fingerprint).not.toBe(vault.ownerView().fingerprint);
    expect(pathsIn(vault.view({ ...RULES, readPaths: [parsePathRule('A')] }))).toEqual(['A/Open.md']);
    expect(vault.view({ ...allowAll, notes: { ...OPEN_NOTES } })).toBe(view);
    expect(vault.view({ ...allowAll, notes: { ...OPEN_NOTES, source: 'other' } })).not.toBe(view);
  });

  it('judges the bytes that it serves, before a change was seen', async () => {
    await using folder = await temporaryVault({ 'Open.md': 'one' });
    const vault = await folder.open({ poll: 3_600_000 });
    const view = vault.view(RULES);
    const [row] = view.notes();
    await folder.write('Open.md', '---\nprivate: yes\n---\none');
    await expect(view.read(row!)).rejects.toMatchObject({ code: 'note_not_found' });
    expect(pathsIn(view)).toEqual([]);
    expect(pathsIn(vault.ownerView())).toEqual(['Open.md']);
  });

  it('leaves out a note that became empty until it has been so for a while', async () => {
    await using folder = await temporaryVault({ 'Log.md': 'a' });
    const vault = await folder.open({ poll: 3_600_000 });
    const view = vault.view(RULES);
    const [log] = view.notes();
    const heard: ViewChange[] = [];
    const stop = view.onChange((changes) => void heard.push(...changes));
    await folder.write('Log.md', '');
    await expect(view.read(log!)).rejects.toMatchObject({ code: 'note_not_found' });
    expect(pathsIn(vault.ownerView())).toEqual(['Log.md']);
    await expect.poll(() => pathsIn(view), { timeout: 30_000 }).toEqual(['Log.md']);
    expect(heard.map(({ before, after }) => [before?.path, after?.path])).toEqual([
      ['Log.md', undefined],
      [undefined, 'Log.md'],
    ]);
    stop();
  });

  it('does so too for what was empty when Grove ended', async () => {
    await using folder = await temporaryVault({ 'Diary.md': '', 'Log.md': 'a' });
    const first = await folder.open({ poll: 3_600_000 });
    await first.close();
    const vault = await folder.open({ poll: 3_600_000 });
    await expect.poll(() => pathsIn(vault.view(RULES)), { timeout: 30_000 }).toEqual(['Diary.md', 'Log.md']);
  });
});
