import { GroveError } from '@grove/core';

/**
 * Judges lists of rules as they came: one that is sent and names nothing would limit nothing, and a rule that had to be
 * mended would fit others than the one that was meant.
 *
 * @param body as it came
 * @param input as it was read
 * @param names of the lists
 * @throws GroveError `bad_input`, `bad_rule`
 */
export function requireRules(
  body: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
  names: readonly string[],
): void {
  for (const name of names) {
    const rules = input[name] as readonly string[];
    if (isGiven(body, name) && rules.length === 0)
      throw new GroveError('bad_input', {
        name,
        reason: `"${name}" names nothing; leave it out to set no limit`,
      });
    requireSpelled(rules);
  }
}

/** Throws `bad_rule` for a rule that was mended. */
export function requireSpelled(rules: readonly string[]): void {
  const mended = rules.find((rule) => rule.includes('\ufffd'));
  if (mended !== undefined)
    throw new GroveError('bad_rule', { rule: mended.slice(0, 200), reason: 'it is not valid Unicode' });
}

/** True for a part of a body that says something: null stands for what is left out. */
export function isGiven(body: Readonly<Record<string, unknown>>, name: string): boolean {
  return (body[name] ?? null) !== null;
}
