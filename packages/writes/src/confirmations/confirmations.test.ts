import { isGroveError, parseVaultPath } from '@grove/core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WriteAuthor } from '../engine/contract.ts';
import { CONFIRM_MS, Confirmations, type NoteToDelete } from './confirmations.ts';

const author = (id: string): WriteAuthor => ({ kind: 'key', id, name: id, client: null });
const [ANN, BEN] = [author('ann'), author('ben')];
const note = (path: string, contentHash = 'aaaaaaaaaaaaaaaa'): NoteToDelete => ({
  path: parseVaultPath(path),
  contentHash,
});
const A = [note('A.md')];

let now: number;
let confirmations: Confirmations;
beforeEach(() => {
  now = Date.parse('2026-11-30T12:00:00Z');
  confirmations = new Confirmations({ now: () => now });
});

function refusal(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!isGroveError(error)) throw error;
    return error.code;
  }
}

describe('a yes', () => {
  it('passes exactly what it was given for, once', () => {
    const { id, signal } = confirmations.ask(ANN, [note('A.md'), note('B.md')]);
    expect(confirmations.take(ANN, [note('A.md'), note('B.md')])).toBe(false);
    expect(confirmations.approve(` ${id.toUpperCase()} `)).toBe(true);
    expect(signal.aborted).toBe(true);
    const others: readonly [WriteAuthor, readonly NoteToDelete[]][] = [
      [BEN, [note('A.md'), note('B.md')]],
      [ANN, [note('A.md')]],
      [ANN, [note('A.md'), note('B.md'), note('C.md')]],
      [ANN, [note('A.md'), note('B.md', 'bbbbbbbbbbbbbbbb')]],
    ];
    for (const [who, notes] of others) expect(confirmations.take(who, notes)).toBe(false);
    expect(confirmations.take(ANN, [note('B.md'), note('A.md')])).toBe(true);
    expect(confirmations.take(ANN, [note('A.md'), note('B.md')])).toBe(false);
  });

  it('has to come within five minutes, and to be used within five more', () => {
    const first = confirmations.ask(ANN, A);
    now += CONFIRM_MS;
    expect(confirmations.approve(first.id)).toBe(false);
    expect(first.signal.reason).toContain('five minutes');
    const second = confirmations.ask(ANN, A);
    now += CONFIRM_MS - 1;
    expect(confirmations.approve(second.id)).toBe(true);
    now += CONFIRM_MS - 1;
    expect(confirmations.take(ANN, A)).toBe(true);
    confirmations.approve(confirmations.ask(ANN, A).id);
    now += CONFIRM_MS;
    expect(confirmations.take(ANN, A)).toBe(false);
  });

  it('does not last longer because the clock was put back', () => {
    confirmations.approve(confirmations.ask(ANN, A).id);
    now -= 2 * CONFIRM_MS;
    expect(confirmations.take(ANN, A)).toBe(false);
  });
});

describe('a question', () => {
  it('asked again is the same one, whose time goes on', () => {
    const { id } = confirmations.ask(ANN, A);
    now += CONFIRM_MS - 1;
    expect(confirmations.ask(ANN, A).id).toBe(id);
    expect(confirmations.waiting()).toHaveLength(1);
    now += 1;
    expect(confirmations.waiting()).toEqual([]);
    expect(confirmations.ask(ANN, A).id).not.toBe(id);
  });

  it('has an id that nobody guesses and a person can type', () => {
    const ids = [...'abcdefgh'].map((name) => confirmations.ask(author(name), A).id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-z]{10}$/);
  });

  it.each<[string, (confirmations: Confirmations) => void, string]>([
    ['one of its notes changes', (all) => all.noteIs(parseVaultPath('A.md'), 'bbbbbbbbbbbbbbbb'), 'A.md'],
    ['one of its notes goes', (all) => all.noteIs(parseVaultPath('A.md'), null), 'A.md'],
    ['its key ends', (all) => all.endOf(ANN), 'key'],
    ['everything is cancelled', (all) => all.clear('writing was switched off'), 'writing'],
  ])('is void, and so is the yes to it, when %s', (_, happen, reason) => {
    const { id, signal } = confirmations.ask(ANN, A);
    happen(confirmations);
    expect([signal.aborted, String(signal.reason)]).toEqual([true, expect.stringContaining(reason)]);
    expect(confirmations.approve(id)).toBe(false);
    confirmations.approve(confirmations.ask(ANN, A).id);
    happen(confirmations);
    expect(confirmations.take(ANN, A)).toBe(false);
  });

  it('stays when another note changes, another key ends, or a note is the same', () => {
    const { id } = confirmations.ask(ANN, A);
    confirmations.noteIs(parseVaultPath('B.md'), null);
    confirmations.noteIs(parseVaultPath('A.md'), 'aaaaaaaaaaaaaaaa');
    confirmations.endOf(BEN);
    expect(confirmations.approve(id)).toBe(true);
  });

  it('is refused at once while a no to it stands', () => {
    const { id } = confirmations.ask(ANN, A);
    expect(confirmations.deny(id)).toBe(true);
    expect(confirmations.approve(id)).toBe(false);
    expect(refusal(() => confirmations.ask(ANN, A))).toBe('confirmation_declined');
    expect(refusal(() => confirmations.ask(BEN, A))).toBeNull();
    now += CONFIRM_MS;
    expect(refusal(() => confirmations.ask(ANN, A))).toBeNull();
  });

  it('is one of a few for each principal, and of a bounded number in all', () => {
    for (let at = 0; at < 10; at += 1) confirmations.ask(ANN, [note(`${at}.md`)]);
    expect(refusal(() => confirmations.ask(ANN, A))).toBe('confirmations_full');
    expect(refusal(() => confirmations.ask(ANN, [note('0.md')]))).toBeNull();
    let asked = 10;
    while (refusal(() => confirmations.ask(author(`key ${asked}`), A)) === null) asked += 1;
    expect(asked).toBe(200);
    now += CONFIRM_MS;
    expect(refusal(() => confirmations.ask(ANN, A))).toBeNull();
  });
});
