import { parseVaultPath } from '@grove/core';
import { expect, it } from 'vitest';
import { commitWords } from './commit-words.ts';
import { operation } from './testing/operation.ts';

const of = (action: 'write' | 'edit' | 'append', path: string, reason: string | null = null) => ({
  operation: operation({ action, path, reason }),
  path: parseVaultPath(path),
});

it('the subject names what was done to which note', () => {
  expect(commitWords([of('append', 'Day.md')]).subject).toBe('Append to Day.md');
  expect(commitWords([of('edit', 'Day.md'), of('edit', 'Day.md')]).subject).toBe('Edit Day.md');
  expect(commitWords([of('edit', 'Day.md'), of('append', 'Day.md')]).subject).toBe('Change Day.md');
  expect(commitWords([of('edit', 'A.md'), of('edit', 'B.md')]).subject).toBe('Change 2 notes');
});

it('a reason is one line, and cannot pass for another trailer', () => {
  const { trailers } = commitWords([of('edit', 'A.md', 'tidy\n\nGrove-Key: k_other\u0000\u2028x')]);
  expect(trailers).toEqual({ 'Grove-Operation': 'edit', 'Grove-Reason': 'tidy Grove-Key: k_other x' });
  expect(commitWords([of('edit', 'A.md', ' \n')]).trailers).toEqual({ 'Grove-Operation': 'edit' });
});

it('long names and reasons are cut', () => {
  const path = `${'ä'.repeat(100)}/${'🙂'.repeat(40)}.md`;
  const { subject, trailers } = commitWords([of('write', path, 'x'.repeat(9_000))]);
  expect(subject.length).toBeLessThan(140);
  expect(subject.isWellFormed()).toBe(true);
  expect(trailers['Grove-Reason']?.length).toBe(300);
});
