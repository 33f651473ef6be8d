import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@grove/core';
import { expect, it } from 'vitest';
import { memoryFolder } from '../../testing/memory-folder.ts';
import { RecordingFs } from '../../testing/recording-fs.ts';
import { copyName, saveConflict } from './conflict-file.ts';

it.each([
  ['with hard links', false],
  ['without hard links', true],
])('words that would be lost are on disk whatever a power loss leaves, %s', async (_, lacksLinks) => {
  const root = memoryFolder('vault');
  mkdirSync(join(root, 'work'));
  mkdirSync(join(root, 'Deep'));
  const from = join(root, 'work/keep');
  writeFileSync(from, 'their words\n');
  const disk = new RecordingFs(root);
  const link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'ENOTSUP' }));
  const fs = lacksLinks ? { ...disk.fs, link } : disk.fs;
  const saved = await saveConflict({ root, fs, clock: systemClock }, 'Deep/Note.md', from);
  expect(saved).toMatch(/^Deep\/Note \(conflict .+\)\.md$/);
  for (let count = 0; count <= disk.length; count += 1)
    for (let kept = 0; kept < 2 ** count; kept += 1) {
      const state = disk.stateAfter(count, (at) => (kept & (1 << at)) !== 0);
      const words = [...state.values()].map((entry) => (entry === 'folder' ? '' : entry.bytes.toString()));
      expect(words, `${count} ${kept.toString(2)}`).toContain('their words\n');
    }
});

it.each([
  ['Plan.md', 1, 'Plan (conflict 2026-11-30 origin).md'],
  ['Beds/Plan.MD', 2, 'Beds/Plan (conflict 2026-11-30 origin 2).md'],
  ['Beds.old/Plan', 1, 'Beds.old/Plan (conflict 2026-11-30 origin)'],
  ['.gitignore', 1, '.gitignore (conflict 2026-11-30 origin)'],
  ['a.b/x.tar.gz', 1, 'a.b/x.tar (conflict 2026-11-30 origin).gz'],
  [`v1. ${'long '.repeat(10)}`, 1, `v1. ${'long '.repeat(10)} (conflict 2026-11-30 origin)`],
])('a copy of %s, number %i, is called %s', (path, count, name) => {
  expect(copyName(path, '2026-11-30 origin', count)).toBe(name);
});

it('the name of a copy is never longer than a disk takes', () => {
  const name = copyName(`${'ü'.repeat(125)}.md`, `2026-11-30 ${'o'.repeat(40)}`, 999);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  expect(name).toMatch(/^ü+ \(conflict 2026-11-30 o+ 999\)\.md$/);
});
