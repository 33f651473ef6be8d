import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { makeFolder } from '@grove/testing';
import { parseTrailRules } from '@grove/trails';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../log.ts';
import { trailsOfVault } from './trails-of-vault.ts';

const log = createLog('silent', process.stderr);

function dataDir(): string {
  const folder = makeFolder('trails');
  onTestFinished(() => folder.remove());
  return folder.path;
}

it('the rules of all trails of a vault are known, and of no other vault; none where nothing was ever shared', () => {
  const dir = dataDir();
  expect(trailsOfVault(dir, 'garden', log)).toEqual([]);
  const control = openControl({ dataDir: dir, clock: systemClock });
  onTestFinished(() => control.close());
  const rules = parseTrailRules({ allowTags: ['plants'] });
  const { trail } = control.trails.create({ name: 'Plants', vault: 'garden', rules });
  control.trails.create({ name: 'Other', vault: 'other', rules: parseTrailRules({ allowTags: ['x'] }) });
  expect(trailsOfVault(dir, 'garden', log)).toEqual([rules]);
  expect(trail.rules).toEqual(rules);
});

it('nothing is known where they cannot be read', () => {
  const dir = dataDir();
  writeFileSync(join(dir, 'control.db'), 'no database');
  expect(trailsOfVault(dir, 'garden', log)).toBeNull();
});
