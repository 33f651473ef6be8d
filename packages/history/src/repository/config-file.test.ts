import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTrue, parseGitConfig } from './config-file.ts';

const TEXT = [
  '# comment with a backslash \\',
  '[core] bare = false ; behind the header',
  '\tFileMode=true',
  '  autocrlf',
  '[remote "origin two"]',
  '\turl = "https://example.org/a b#c" # not part of it',
  '\tfetch = +refs/heads/*:refs/remotes/origin/*',
  '[Extensions]',
  '\tobjectFormat = sha1   ',
  '\tlong = one \\',
  'two "three  four" \\t five',
  '[a "quote\\"back\\\\slash"]',
  '\tkey = 1',
  '\tkey = 2',
  '[section.Sub]',
  'x-1 = a;b',
  '',
].join('\n');

describeWithPrograms('parseGitConfig, beside git', ['git'], () => {
  it('reads what git reads', () => {
    const git = SystemGit.init();
    git.write('config.txt', TEXT);
    const expected = new Map<string, string>();
    for (const record of git.run('config', '-f', 'config.txt', '-z', '--list').split('\0')) {
      const [key, ...value] = record.split('\n');
      if (key) expected.set(key, record.includes('\n') ? value.join('\n') : 'true');
    }
    expect(expected.size).toBeGreaterThan(8);
    const ours = parseGitConfig(TEXT);
    // git folds the case of the old [section.Sub] form.
    ours.set('section.sub.x-1', ours.get('section.sub.x-1')!);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(expected));
  });

  it('reads back any value that git wrote', () => {
    const git = SystemGit.init();
    const value = fc.string({ unit: fc.constantFrom(...'ab "\\#;=\t\n[]é'), maxLength: 12 });
    fc.assert(
      fc.property(value, (text) => {
        git.run('config', '-f', 'one.txt', '--replace-all', 'core.value', text);
        const written = readFileSync(join(git.dir, 'one.txt'), 'utf8');
        expect(parseGitConfig(written).get('core.value')).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe('parseGitConfig', () => {
  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]"\\=#; \nab.') }), (text) => {
        expect(parseGitConfig(text)).toBeInstanceOf(Map);
      }),
    );
  });

  it.each([
    ['true', true],
    ['Yes', true],
    ['on', true],
    ['2', true],
    ['0', false],
    ['off', false],
    ['', false],
    [undefined, false],
  ])('takes %j for %j', (text, expected) => {
    expect(isTrue(text)).toBe(expected);
  });
});
