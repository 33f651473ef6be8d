import { stringify } from 'yaml';
import { openApiDocument } from './document.ts';

/** The text of `openapi.yaml`. */
export function renderOpenApi(version: string): string {
  const head = '# Made from the contracts of the operations by `node scripts/openapi.ts`.\n';
  return (
    head +
    stringify(openApiDocument(version), { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 110 })
  );
}
