import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CATALOGUE } from '../packages/core/src/index.ts';

/** Where the page of all errors stands. */
export const errorsPage = fileURLToPath(new URL('../docs/errors.md', import.meta.url));

/** The text of `docs/errors.md`, made from the error catalogue. */
export function renderErrorsPage(): string {
  const rows = Object.entries(CATALOGUE)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { status, message, hint }]) => `| \`${code}\` | ${status} | ${cell(message)} | ${cell(hint)} |`,
    );
  return [
    '# Errors',
    '',
    'Every refusal carries a stable `code`, a message and one next step. Over MCP it is a tool error with',
    '`error {code, message, next}`, on the command line a sentence, or with `--json` that `error`, and exit code 1, or 2 where',
    'the command line is not understood; the status is what HTTP answers. `{name}` stands for a fact of the occurrence.',
    '',
    '<!-- Made from packages/core/src/catalogue by `node scripts/errors-page.ts`. -->',
    '',
    '| code | status | message | next step |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  const before = readFileSync(errorsPage, { encoding: 'utf8', flag: 'a+' });
  const after = renderErrorsPage();
  writeFileSync(errorsPage, after);
  console.log(before === after ? 'docs/errors.md was up to date' : 'docs/errors.md written');
}
