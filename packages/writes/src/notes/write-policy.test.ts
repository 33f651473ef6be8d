import { parseVaultPath } from '@grove/core';
import { allowAll, parsePathRule, type ViewRules } from '@grove/vault';
import { describe, expect, it } from 'vitest';
import { compileWritePolicy } from './write-policy.ts';

const rules = (lists: Partial<Record<'readPaths' | 'writePaths' | 'denyPaths', string[]>>): ViewRules => ({
  readPaths: (lists.readPaths ?? []).map(parsePathRule),
  writePaths: (lists.writePaths ?? []).map(parsePathRule),
  denyPaths: (lists.denyPaths ?? []).map(parsePathRule),
  readOnly: false,
});

const codeAt = (path: string, list: readonly ViewRules[], tellsWhy = true): string | undefined =>
  compileWritePolicy(list, tellsWhy).refusal(parseVaultPath(path))?.code;

describe('a write policy', () => {
  it('refuses nothing without rules', () => {
    expect(codeAt('Any/Note.md', [allowAll, allowAll])).toBeUndefined();
  });

  it.each([
    ['Journal/a.md', undefined],
    ['journal/b.md', undefined],
    ['Journals/a.md', 'outside_write_paths'],
    ['Open/a.md', 'outside_write_paths'],
    ['Journal/Secret/a.md', 'denied_path'],
    ['Elsewhere/a.md', 'outside_read_paths'],
  ])('tells the owner why %s is refused: %s', (path, code) => {
    const list = [
      rules({
        readPaths: ['Journal', 'Journals', 'Open'],
        writePaths: ['Journal'],
        denyPaths: ['Journal/Secret'],
      }),
    ];
    expect(codeAt(path, list)).toBe(code);
  });

  it('must be let through by the process policy and by the key', () => {
    const list = [rules({ writePaths: ['A', 'B'] }), rules({ writePaths: ['B', 'C'] })];
    expect(['A/x.md', 'B/x.md', 'C/x.md'].map((path) => codeAt(path, list))).toEqual([
      'outside_write_paths',
      undefined,
      'outside_write_paths',
    ]);
  });

  it('says the same to whoever does not see all, whatever the rule was', () => {
    const list = [rules({ readPaths: ['Open'], writePaths: ['Open/In'], denyPaths: ['Open/In/No'] })];
    for (const path of ['Hidden/x.md', 'Open/x.md', 'Open/In/No/x.md'])
      expect(codeAt(path, list, false)).toBe('not_writable');
    const policy = compileWritePolicy(list, false);
    const [one, other] = ['Hidden/x.md', 'Open/x.md'].map((path) => policy.refusal(parseVaultPath(path)));
    expect(Object.keys(one?.data ?? {})).toEqual(Object.keys(other?.data ?? {}));
    expect(one?.hint).toBe(other?.hint);
  });

  it('lets nothing through where the vault may only be read', () => {
    const policy = compileWritePolicy([{ ...allowAll, readOnly: true }, allowAll], true);
    expect(policy.readOnly).toBe(true);
    expect(policy.refusal(parseVaultPath('a.md'))?.code).toBe('read_only');
  });
});
