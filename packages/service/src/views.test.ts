import { parsePathRule, type ViewRules } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverInstructions } from './instructions.ts';
import { type Loose, openTestVault, STDIO, type TestVault } from './testing/opened.ts';
import { anyRules, anyVault, probingCalls } from './testing/policies.ts';
import type { Files } from './testing/vault-folder.ts';

/** Leaves out nothing, and is still not the owner's View. */
const ALL: ViewRules = {
  readPaths: [],
  writePaths: [],
  denyPaths: [parsePathRule('no such folder')],
  readOnly: false,
};

/** The whole answer, its text included; sealed cursors are random and compared by what they lead to. */
async function answersOf(vault: TestVault, rules: ViewRules): Promise<Loose[]> {
  const scope = vault.opened.scope(STDIO, rules);
  const answers: Loose[] = [serverInstructions(scope)];
  for (const [name, input] of probingCalls) {
    let cursor: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const answer = await vault.call(name, { ...input, ...(cursor === undefined ? {} : { cursor }) }, scope);
      const structured = answer.structured as Loose;
      cursor = structured.cursor;
      const sealed = cursor === undefined ? /$^/g : new RegExp(cursor, 'g');
      answers.push({
        call: [name, input, page],
        text: answer.text.replaceAll(sealed, 'CURSOR'),
        structured: { ...structured, ...(cursor === undefined ? {} : { cursor: 'CURSOR' }) },
      });
      if (cursor === undefined) break;
    }
  }
  return answers;
}

describe('a View', () => {
  it('answers as a vault holding only its notes would, in every operation', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(anyVault, anyRules, async (files, rules) => {
        const whole = await openTestVault(files);
        const seen = whole.opened.scope(STDIO, rules).view.notes();
        const visible: Files = {
          '.obsidian/app.json': '{}',
          ...Object.fromEntries(seen.map(({ diskPath }) => [diskPath, files[diskPath] ?? ''])),
        };
        const only = await openTestVault(visible);
        try {
          const narrowed = await answersOf(whole, rules);
          const alone = await answersOf(only, ALL);
          for (const [index, answer] of narrowed.entries()) expect(answer).toEqual(alone[index]);
        } finally {
          await whole.close();
          await only.close();
        }
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
