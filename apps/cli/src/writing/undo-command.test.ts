import { describe, expect, it } from 'vitest';
import { undoCommand } from './undo-command.ts';

describe('undoCommand', () => {
  it.each([
    [{ action: 'delete', path: 'A.md', if_hash: '1f' }, [], 'grove delete A.md --if-hash 1f'],
    [
      { action: 'restore', path: "Ann's plan.md", from: { revision: '1a2b^' }, if_hash: '*' },
      ['my notes'],
      `grove restore 'Ann'\\''s plan.md' --revision '1a2b^' --if-hash '*' --vault 'my notes'`,
    ],
    [{ action: 'restore', path: 'A.md', from: { batch: 'b' } }, [], 'grove restore A.md --batch b'],
    [{ action: 'move', path: 'B.md', to: 'A.md', if_hash: '1f' }, [], 'grove move B.md A.md --if-hash 1f'],
  ])('%j is typed', (undo, vault, typed) => {
    expect(undoCommand(undo, 'grove', vault)).toBe(typed);
  });

  it('is null for what no verb does', () => {
    expect(undoCommand({ operations: [] }, 'grove', [])).toBeNull();
    expect(undoCommand({ action: 'write', path: 'A.md', content: 'x' }, 'grove', [])).toBeNull();
    expect(undoCommand({ action: 'delete', path: 'A.md', reason: 'x' }, 'grove', [])).toBeNull();
  });
});
