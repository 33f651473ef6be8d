import type { MeaningHealth } from '@grove/search';
import { plural } from '../answers/markdown.ts';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import type { HealthAnswer } from './contract.ts';
import type { VaultFigures } from './figures.ts';

type Former = NonNullable<MeaningHealth['former']>;

const NONE = 'No embedding model is set up: search by meaning is answered by words.';

/** Search by meaning as this View has it: counts of its own notes, and for the owner the model, its host and what is wrong. */
export function embeddingHealth(
  { view, embedding }: Scope,
  { index, embedding: counts }: VaultFigures,
): HealthAnswer['embedding'] {
  const { meaning, meaningProblem } = index;
  if (meaning === null || counts === null) {
    const problem = view.isOwner ? (embedding.problem ?? meaningProblem) : null;
    return {
      configured: false,
      ...told({ problem }),
      note: problem === null ? NONE : `Search is by words. ${problem}`,
    };
  }
  const { total, done, failed, pending } = counts;
  const facts = { configured: true, total, done, pending, failed };
  const all = plural(total, 'note');
  const reached =
    done === total
      ? `Search by meaning reaches all ${all}`
      : `Search by meaning reaches ${done.toLocaleString('en')} of ${all} so far`;
  if (!view.isOwner) return { ...facts, note: `${reached}.` };
  const { model, host, store, problem, rebuilt, former, note } = meaning;
  const where = host === null ? 'on this machine' : `texts are sent to ${host}`;
  const notes = [
    `${reached} (${model}, ${where}).`,
    ...(former === null ? [] : [whileBuilt(former)]),
    ...(failed === 0 ? [] : [`${plural(failed, 'note')} could not be embedded.`]),
    ...[note, rebuilt, embedding.storeNote(), problem].filter((said) => said !== null),
  ];
  return {
    ...facts,
    model,
    ...told({ host, store, problem, former: former?.model ?? null }),
    note: clip(notes.join(' '), 700),
  };
}

/** That a former model answers until the one that is set up reaches as many notes. */
function whileBuilt({ model, host, done }: Former): string {
  const where = host === null ? '' : `, queries are sent to ${host}`;
  return `Until it reaches more, ${model} answers, the model before it (${plural(done, 'note')}${where}).`;
}

/** Without what is null. */
function told<T extends Record<string, string | null>>(
  fields: T,
): { [Name in keyof T]?: NonNullable<T[Name]> } {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [[name, clip(value, 400)]],
  );
  return Object.fromEntries(entries);
}
