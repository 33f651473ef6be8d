import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryFolder } from '../testing/memory-folder.ts';
import { DiskLook, withRunBits } from './disk-look.ts';

function vault(): string {
  const root = memoryFolder('vault');
  mkdirSync(join(root, 'Deep/er'), { recursive: true });
  for (const path of ['Plan.md', 'Deep/er/A.md', 'café.md'.normalize('NFD')])
    writeFileSync(join(root, path), 'x');
  symlinkSync('Deep', join(root, 'away'));
  symlinkSync('Plan.md', join(root, 'link.md'));
  return root;
}

it('tells what lies at a path, and follows no link', () => {
  const look = new DiskLook(vault());
  expect(look.at('Plan.md')).toMatchObject({ kind: 'file', bytes: Buffer.from('x') });
  expect(look.at('Deep')).toEqual({ kind: 'folder' });
  expect(look.at('link.md')).toEqual({ kind: 'link', target: 'Plan.md' });
  expect(look.at('None/x.md')).toEqual({ kind: 'none' });
  expect(look.at('away/er/A.md')).toEqual({ kind: 'blocked', by: 'away' });
  expect(look.at('Plan.md/x/y.md')).toEqual({ kind: 'blocked', by: 'Plan.md' });
  expect(look.newPlace('New/Folder/x.md').missing).toEqual(['New', 'New/Folder']);
});

it('refuses a file with a second name', () => {
  const root = vault();
  linkSync(join(root, 'Plan.md'), join(root, 'Second.md'));
  expect(() => new DiskLook(root).at('Plan.md')).toThrow(/second name/);
});

it('knows by which other name a disk may have found a file', () => {
  const look = new DiskLook(vault());
  expect(look.otherSpelling('Plan.md')).toBeNull();
  expect(look.otherSpelling('plan.md')).toBe('Plan.md');
  expect(look.otherSpelling('Deep/er/a.MD')).toBe('Deep/er/A.md');
  expect(look.otherSpelling('café.md'.normalize('NFC'))).toBe('café.md'.normalize('NFD'));
});

it('knows when nothing is left in a folder', () => {
  const look = new DiskLook(vault());
  expect(look.emptied('Deep', () => false)).toBeNull();
  expect(look.emptied('Deep', (path) => path === 'Deep/er/A.md')).toEqual(['Deep', 'Deep/er']);
});

it('gives the right to run a file to whoever may read it', () => {
  expect(withRunBits(0o640, true)).toBe(0o750);
  expect(withRunBits(0o755, false)).toBe(0o644);
});
