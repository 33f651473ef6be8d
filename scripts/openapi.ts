import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderOpenApi } from '../apps/server/src/openapi/render.ts';

/** Where the description of the HTTP interface stands. */
export const openApiFile = fileURLToPath(new URL('../openapi.yaml', import.meta.url));

/** What `openapi.yaml` is to hold. */
export function currentOpenApi(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return renderOpenApi(version);
}

if (import.meta.main) {
  const before = readFileSync(openApiFile, { encoding: 'utf8', flag: 'a+' });
  const after = currentOpenApi();
  writeFileSync(openApiFile, after);
  console.log(before === after ? 'openapi.yaml was up to date' : 'openapi.yaml written');
}
