import { type Attention, attentionOf, digestOf, type StagedNote } from '@grove/graph';
import { clip, isoTime, noteFacts } from '../../answers/note-facts.ts';
import { fillPage } from '../../answers/size.ts';
import type { Scope } from '../../contract.ts';
import { buildingRemarks } from '../building.ts';
import type { VaultStatusInput } from '../contract.ts';
import type { DigestAnswer } from './contract.ts';

/** Notes of each stage, unless the caller says. */
const LIMIT = 5;
const STAGE_BYTES = 4 * 1024;
const EXAMPLES = 3;

/** The notes of the View by stage, and what of them needs a look today. */
export function tellDigest(scope: Scope, { limit }: Pick<VaultStatusInput, 'limit'>): DigestAnswer {
  const { view, vault, clock } = scope;
  const now = clock.now();
  const digest = digestOf(view, now, vault.garden);
  return {
    mode: 'digest',
    vault: vault.name,
    remarks: [...buildingRemarks(scope), ...historyRemarks(scope)],
    now: isoTime(scope, now),
    notes: view.size,
    left_out: digest.leftOut,
    stages: digest.stages.map(({ stage, notes }) => ({
      stage,
      total: notes.length,
      notes: [
        ...fillPage(
          notes.slice(0, limit ?? LIMIT).map((note) => stagedFacts(scope, note)),
          STAGE_BYTES,
        ).items,
      ],
    })),
    attention: tellAttention(attentionOf(view, digest, vault.garden)),
  };
}

function stagedFacts(scope: Scope, { row, age, untouched, words, backlinks }: StagedNote) {
  return {
    ...noteFacts(scope, row),
    // A note of the future is as new as one of this moment.
    age: Math.max(0, Math.floor(age)),
    untouched: Math.max(0, Math.floor(untouched)),
    words,
    backlinks,
  };
}

function tellAttention({ ripeSeeds, unlinked, askedFor, withering, unreviewed }: Attention) {
  const entry = (
    what: DigestAnswer['attention'][number]['what'],
    why: string,
    names: readonly string[],
  ): DigestAnswer['attention'] =>
    names.length === 0
      ? []
      : [
          {
            what,
            why,
            total: names.length,
            examples: names.slice(0, EXAMPLES).map((name) => clip(name, 300)),
          },
        ];
  const paths = (notes: readonly StagedNote[]): string[] => notes.map(({ row }) => row.path);
  return [
    ...entry(
      'ripe_seeds',
      'short and hardly linked, and no seeds any more within two days',
      paths(ripeSeeds),
    ),
    ...entry(
      'asked_for',
      'linked to by three notes or more, and not there',
      askedFor.map(({ target }) => target),
    ),
    ...entry('unlinked', 'new or in work, and no link leads from or to them', paths(unlinked)),
    ...entry('unreviewed', 'much linked, and long untouched: do they still hold?', paths(unreviewed)),
    ...entry('withering', 'long untouched and hardly linked: link them, or let them go', paths(withering)),
  ];
}

function historyRemarks({ history }: Scope): string[] {
  return history().ready ? [] : ['The history is still being read: ages may change.'];
}
