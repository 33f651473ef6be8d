import { parseVaultPath } from '@grove/core';
import { expect, it } from 'vitest';
import type { WriteAuthor } from '../engine/contract.ts';
import { RecentAppends } from './recent-appends.ts';
import { operation } from './testing/operation.ts';

const KEY: WriteAuthor = { kind: 'key', id: 'k_1', name: 'one', client: null };
const path = parseVaultPath('Log.md');
const append = operation({ action: 'append', content: '- one' });

const make = () => {
  const time = { now: 1_000_000 };
  const appends = new RecentAppends({ now: () => time.now });
  return {
    time,
    begin: (author = KEY, what = append, where = path, isGone = false) =>
      appends.begin(author, where, what, isGone),
  };
};

it('the same text by the same principal counts once within two minutes', () => {
  const { time, begin } = make();
  expect(begin()).not.toBeNull();
  time.now += 119_000;
  expect(begin()).toBeNull();
  expect(begin(KEY, append, path, true)).not.toBeNull();
  time.now += 121_000;
  expect(begin()).not.toBeNull();
});

it('another principal, note, section, action or text is another append', () => {
  const { begin } = make();
  begin();
  for (const begun of [
    begin({ ...KEY, id: 'k_2' }),
    begin({ ...KEY, kind: 'grant' }),
    begin(KEY, append, parseVaultPath('Other.md')),
    begin(KEY, { ...append, section: 'Tasks' }),
    begin(KEY, { ...append, action: 'prepend' }),
    begin(KEY, { ...append, content: '- two' }),
  ])
    expect(begun).not.toBeNull();
});

it('an append that was taken back may come again, and only its own mark goes', () => {
  const { time, begin } = make();
  const takeBack = begin();
  takeBack?.();
  const second = begin();
  expect(second).not.toBeNull();
  takeBack?.();
  expect(begin()).toBeNull();
  time.now -= 500_000;
  // A clock that was set back says nothing of what came before.
  expect(begin()).not.toBeNull();
});
