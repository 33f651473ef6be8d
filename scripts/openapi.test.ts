import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { currentOpenApi, openApiFile } from './openapi.ts';

it('openapi.yaml is what the contracts say; else run node scripts/openapi.ts', () => {
  expect(readFileSync(openApiFile, 'utf8')).toBe(currentOpenApi());
});
