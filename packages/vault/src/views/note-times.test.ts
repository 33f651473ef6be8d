import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { GitTimes } from '../times.ts';

const CREATED = Date.parse('2020-01-02T03:04:05Z');
const COMMITTED = Date.parse('2021-01-02T03:04:05Z');
const WRITTEN = Date.parse('2024-05-06T07:08:09Z');

describe('times of a note', () => {
  it('come from git, else from the frontmatter in the vault’s zone, else from the file', async () => {
    await using folder = await temporaryVault({
      '.grove/vault.yaml': 'zone: Europe/Berlin',
      'Committed.md': 'committed',
      'Edited.md': 'edited since',
      'Claimed.md': '---\ncreated: 2019-07-01\nupdated: 2019-07-02 08:30\n---\n',
      'File.md': '---\ncreated: some day\n---\n',
    });
    for (const name of ['Committed.md', 'Edited.md', 'Claimed.md', 'File.md']) {
      await utimes(join(folder.root, name), WRITTEN / 1_000, WRITTEN / 1_000);
    }
    let blob: string | null = null;
    const times: GitTimes = {
      ready: true,
      times: (path) => {
        const committed = { created: CREATED, modified: COMMITTED, found: false, blob };
        if (path === 'Committed.md') return committed;
        return path === 'Edited.md' ? { ...committed, blob: 'f'.repeat(40) } : null;
      },
      refresh: async () => {},
      onChange: () => () => {},
    };
    const view = (await folder.open({ poll: true, times })).ownerView();
    const [claimed, committed, edited, file] = view.notes();
    blob = committed!.blob;
    expect(view.times(committed!)).toEqual({ created: CREATED, modified: COMMITTED });
    expect(view.times(edited!)).toEqual({ created: CREATED, modified: WRITTEN });
    expect(view.times(claimed!)).toEqual({
      created: Date.parse('2019-06-30T22:00:00Z'),
      modified: Date.parse('2019-07-02T06:30:00Z'),
    });
    expect(view.times(file!)).toEqual({ created: WRITTEN, modified: WRITTEN });
  });

  it('are those of the frontmatter while git only found the note, and git’s once it was changed', async () => {
    const text = '---\ncreated: 2019-07-01T00:00:00Z\nupdated: 2019-07-02T00:00:00Z\n---\n';
    await using folder = await temporaryVault({
      'Changed.md': text,
      'Found.md': text,
      'Plain.md': 'plain',
    });
    for (const name of ['Changed.md', 'Found.md', 'Plain.md'])
      await utimes(join(folder.root, name), WRITTEN / 1_000, WRITTEN / 1_000);
    const blobs = new Map<string, string>();
    const times: GitTimes = {
      ready: true,
      times: (path) => ({
        created: WRITTEN,
        modified: path === 'Changed.md' ? WRITTEN + 1_000 : WRITTEN,
        found: true,
        blob: blobs.get(path) ?? null,
      }),
      refresh: async () => {},
      onChange: () => () => {},
    };
    const view = (await folder.open({ poll: true, times })).ownerView();
    const [changed, found, plain] = view.notes();
    for (const row of view.notes()) blobs.set(row.path, row.blob);
    const created = Date.parse('2019-07-01T00:00:00Z');
    expect(view.times(changed!)).toEqual({ created, modified: WRITTEN + 1_000 });
    expect(view.times(found!)).toEqual({ created, modified: Date.parse('2019-07-02T00:00:00Z') });
    expect(view.times(plain!)).toEqual({ created: WRITTEN, modified: WRITTEN });
  });

  it('follow a touched file without parsing it or a new generation', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    const { generation } = view;
    await utimes(join(folder.root, 'A.md'), WRITTEN / 1_000, WRITTEN / 1_000);
    await vault.reconcile();
    expect(view.times(view.notes()[0]!)).toEqual({ created: WRITTEN, modified: WRITTEN });
    expect(view.generation).toBe(generation);
    expect(vault.health().parsed).toBe(1);
  });
});
