import { type TrailRules, trailViewRules } from '@grove/trails';
import { parsePathRule, type ViewRules } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Principal, Scope } from './contract.ts';
import { completeArgument } from './garden-prompts/complete-argument.ts';
import { composePrompt } from './garden-prompts/compose.ts';
import type { Completed } from './garden-prompts/contract.ts';
import { gardenPrompts } from './garden-prompts/garden-prompts.ts';
import { serverInstructions } from './instructions.ts';
import { type Loose, openTestVault, STDIO, type TestVault } from './testing/opened.ts';
import { anyRules, anyTrail, anyVault, probedNames, probingCalls, SHARE_ALL } from './testing/policies.ts';
import type { Files } from './testing/vault-folder.ts';

/** Leaves out nothing, and is still not the owner's View. */
const ALL: ViewRules = {
  readPaths: [],
  writePaths: [],
  denyPaths: [parsePathRule('no such folder')],
  readOnly: false,
};
const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Guest', trail: 't_guest' };
const RUNS = Number(process.env.GROVE_TEST_RUNS ?? 10);

/** The whole answer, its text included; sealed cursors are random and compared by what they lead to. */
async function answersOf(vault: TestVault, scope: Scope): Promise<Loose[]> {
  const answers: Loose[] = [serverInstructions(scope), ...promptsOf(scope)];
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

/** Every prompt, about every name that a note, a folder, a tag or a type could have, and all completions. */
function promptsOf(scope: Scope): Loose[] {
  return gardenPrompts.flatMap((prompt) => {
    const [first = '', ...others] = Object.keys(prompt.parameters);
    const typed = [...probedNames, ''];
    const prompts = typed
      .filter((name) => name !== '' || prompt.parameters[first]?.required === false)
      .map((name) => ({ [first]: name, ...Object.fromEntries(others.map((each) => [each, name])) }))
      .map((given) => ({ prompt: prompt.name, given, text: composePrompt(scope, prompt, given) }));
    const completed = Object.values(prompt.completes).flatMap((kind) =>
      ['', 'a', 'Pri'].map((begun) => [kind, begun, completeArgument(scope, kind as Completed, begun)]),
    );
    return [...prompts, ...completed];
  });
}

/** Compares what one scope is answered with what a vault of nothing but its notes answers to another. */
async function expectOnlyVisible(
  files: Files,
  scopeIn: (vault: TestVault) => Scope,
  everything: (vault: TestVault) => Scope,
): Promise<void> {
  const whole = await openTestVault(files);
  const scope = scopeIn(whole);
  const visible: Files = {
    '.obsidian/app.json': '{}',
    ...Object.fromEntries(scope.view.notes().map(({ diskPath }) => [diskPath, files[diskPath] ?? ''])),
  };
  const only = await openTestVault(visible);
  try {
    const narrowed = await answersOf(whole, scope);
    const alone = await answersOf(only, everything(only));
    for (const [index, answer] of narrowed.entries()) expect(answer).toEqual(alone[index]);
  } finally {
    await whole.close();
    await only.close();
  }
}

describe('a View answers as a vault holding only its notes would, in every operation', () => {
  it('where paths are its rules', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyVault, anyRules, (files, rules) =>
        expectOnlyVisible(
          files,
          ({ opened }) => opened.scope(STDIO, rules),
          ({ opened }) => opened.scope(STDIO, ALL),
        ),
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('where it is a trail’s', { timeout: 240_000 }, async () => {
    const scopeOf = ({ opened }: TestVault, rules: TrailRules): Scope =>
      opened.scope(GUEST, trailViewRules(rules), { scopes: ['read'], trail: true });
    await fc.assert(
      fc.asyncProperty(anyVault, anyTrail, (files, rules) =>
        expectOnlyVisible(
          files,
          (vault) => scopeOf(vault, rules),
          (vault) => scopeOf(vault, SHARE_ALL),
        ),
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
