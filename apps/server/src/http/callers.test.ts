import { join } from 'node:path';
import { type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { get, type OpenedVault, openOwnedVault, query } from '@grove/service';
import { makeFolder, writeFiles } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileRules, NO_LIMITS } from '../rule-sources.ts';
import type { Caller } from './caller.ts';
import { Callers } from './callers.ts';

const NOTES = {
  'Open.md': '# Open\n\nA xylophone for all.\n',
  'Work/Plan.md': '# Plan\n\nA xylophone at work.\n',
  'Work/Secret/Pay.md': '# Pay\n\nA xylophone of gold.\n',
  'Private/Diary.md': '# Diary\n\nA xylophone at night.\n',
};

const folder = makeFolder('callers');
let opened: OpenedVault;
let control: Control;
let callers: Callers;
let made = 0;

beforeAll(async () => {
  const root = join(folder.path, 'Garden');
  writeFiles(root, NOTES);
  const dataDir = join(folder.path, 'data');
  opened = await openOwnedVault({
    root,
    dataDir,
    kind: 'server',
    policy: compileRules({ ...NO_LIMITS, denyPaths: ['Private'] }),
  });
  await opened.ready;
  control = openControl({ dataDir, clock: systemClock });
  callers = new Callers(control.credentials, [opened]);
});
afterAll(async () => {
  callers.close();
  control.close();
  await opened.close();
  folder.remove();
});

interface Rules {
  readonly readPaths?: readonly string[];
  readonly denyPaths?: readonly string[];
}

function tokenWith(rules: Rules = {}): string {
  made += 1;
  return control.keys.create({ name: `key ${made}`, vault: opened.slug, ...rules }).token;
}

function callerOf(token: string): Caller {
  return callers.ofHeader(`Bearer ${token}`);
}

async function found(caller: Caller): Promise<string[]> {
  const { hits = [] } = await query.run(caller.scope, query.parse({ query: 'xylophone', limit: 20 }));
  return hits.map(({ path }) => path).sort();
}

describe('what a key reaches', () => {
  it.each<[string, Rules, string[]]>([
    ['no rule of its own', {}, ['Open.md', 'Work/Plan.md', 'Work/Secret/Pay.md']],
    ['a folder', { readPaths: ['Work'] }, ['Work/Plan.md', 'Work/Secret/Pay.md']],
    ['a folder without another', { readPaths: ['Work'], denyPaths: ['Work/Secret'] }, ['Work/Plan.md']],
    ['all but a folder', { denyPaths: ['Work'] }, ['Open.md']],
    ['what the process hides', { readPaths: ['Private'] }, []],
    ['what is hidden beside what is not', { readPaths: ['Private', 'Open.md'] }, ['Open.md']],
  ])('is bounded by its rules and by those of the process: %s', async (_, rules, paths) => {
    expect(await found(callerOf(tokenWith(rules)))).toEqual(paths);
  });

  it('stays apart from what others reach at the same time', async () => {
    const work = callerOf(tokenWith({ readPaths: ['Work'] }));
    const open = callerOf(tokenWith({ readPaths: ['Open.md'] }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => found(at % 2 === 0 ? work : open)),
    );
    for (const [at, paths] of answers.entries())
      expect(paths).toEqual(at % 2 === 0 ? ['Work/Plan.md', 'Work/Secret/Pay.md'] : ['Open.md']);
    await expect(get.run(open.scope, get.parse({ path: 'Work/Plan.md' }))).rejects.toMatchObject({
      code: 'note_not_found',
    });
  });

  it('is compiled once for each token', () => {
    const token = tokenWith({ readPaths: ['Work'] });
    const first = callerOf(token);
    expect(callerOf(token)).toBe(first);
    const rotated = callerOf(control.keys.rotate(first.principal.id).token);
    expect(rotated).not.toBe(first);
    expect(rotated.credential).not.toBe(first.credential);
    expect(rotated.scope.view.fingerprint).toBe(first.scope.view.fingerprint);
  });

  it('ends with the key, though the caller was known', async () => {
    const token = tokenWith();
    const caller = callerOf(token);
    control.keys.revoke(caller.principal.id);
    expect(() => callerOf(token)).toThrow(expect.objectContaining({ code: 'key_invalid' }));
    // An answer that is being made is finished; nothing new can be asked.
    expect(await found(caller)).toHaveLength(3);
  });

  it('is nothing when its rules cannot be read', () => {
    const token = tokenWith({ denyPaths: ['../outside'] });
    expect(() => callerOf(token)).toThrow(expect.objectContaining({ code: 'bad_rule' }));
  });
});
