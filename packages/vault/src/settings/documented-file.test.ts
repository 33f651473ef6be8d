import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FIELD_KINDS } from './field-kinds.ts';
import { readVaultFile } from './vault-file.ts';

const page = readFileSync(new URL('../../../../docs/vault-file.md', import.meta.url), 'utf8');

it('the example of docs/vault-file.md is valid, and the page names every kind', () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const { file, remarks } = readVaultFile(example);
  expect(remarks).toEqual([]);
  expect(Object.keys(file?.types ?? {})).toEqual(['book', 'person', 'idea']);
  for (const kind of FIELD_KINDS.filter((name) => name !== 'enum')) expect(page).toContain(`| \`${kind}\` |`);
});
