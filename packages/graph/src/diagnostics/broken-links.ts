import type { MissingTarget, NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';
import { type Wanted, wantedBy } from '../unresolved/demand.ts';

/** What links of one note ask for in vain. */
export interface BrokenLink extends Wanted {
  readonly from: NoteRow;
}

/** The broken links of a View by the path of the note, then in the order of the note; of each note equal ones once. */
export const brokenLinks = perGeneration((view: View): readonly BrokenLink[] =>
  view.notes().flatMap((from) => wantedBy(view.missingTargets(from), from).map((one) => ({ ...one, from }))),
);

/** True for a link of the note that asks for this. */
export function asksFor({ from, key }: BrokenLink, link: MissingTarget): boolean {
  return wantedBy([{ kind: link.kind, target: link.target }], from).some((one) => one.key === key);
}
