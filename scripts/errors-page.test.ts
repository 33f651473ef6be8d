import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../packages/core/src/index.ts';
import { errorsPage, renderErrorsPage } from './errors-page.ts';

describe('docs/errors.md', () => {
  it('is what the error catalogue says', () => {
    expect(readFileSync(errorsPage, 'utf8'), 'run: node scripts/errors-page.ts').toBe(renderErrorsPage());
  });

  it('gives every code a status of its kind and a next step', () => {
    for (const [code, entry] of Object.entries(CATALOGUE)) {
      expect(entry.status, code).toBeGreaterThanOrEqual(400);
      expect(entry.status, code).toBeLessThan(600);
      expect(entry.hint.length, code).toBeGreaterThan(0);
    }
  });
});
