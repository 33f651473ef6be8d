import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { envExample, renderEnvExample, renderSettingsPage, settingsPage } from './settings.ts';

const REMEDY = 'run: node scripts/settings.ts';

it('.env.example is what the table of settings says', () => {
  expect(readFileSync(envExample, 'utf8'), REMEDY).toBe(renderEnvExample());
});

it('docs/settings.md tells each setting as the table does', () => {
  const page = readFileSync(settingsPage, 'utf8');
  expect(page, REMEDY).toBe(renderSettingsPage(page));
});
