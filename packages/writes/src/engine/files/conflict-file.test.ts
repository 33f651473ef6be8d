import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@grove/core';
import { expect, it } from 'vitest';
import { memoryFolder } from '../../testing/memory-folder.ts';
import { RecordingFs } from '../../testing/recording-fs.ts';
import { saveConflict } from './conflict-file.ts';

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
