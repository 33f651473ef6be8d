import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { syncedBy } from './synced-by.ts';

it.each([
  ['Syncthing', 'Notes', '.stfolder'],
  ['Dropbox', 'Dropbox (Personal)/Notes', null],
  ['Dropbox', 'Files/Notes', '../.dropbox'],
  ['iCloud Drive', 'Mobile Documents/com~apple~CloudDocs/Notes', null],
  ['OneDrive', 'OneDrive - Work/Notes', null],
  ['Nextcloud', 'Cloud/Notes', '../.sync_0123456789ab.db'],
  ['Google Drive', 'GoogleDrive-ann@example.org/My Drive', null],
  [null, 'Notes', '.obsidian'],
  [null, 'About Dropbox/OneDriven', null],
])('%s keeps %s', async (program, folder, mark) => {
  const root = join(temporaryFolder('synced'), folder);
  mkdirSync(root, { recursive: true });
  if (mark !== null) writeFileSync(join(root, mark), '');
  expect(await syncedBy(root)).toBe(program);
});
