import type { MissingTarget, NoteRow, View } from '@grove/vault';
import { perGeneration } from '../per-generation.ts';
import { type Wanted, wantedByOne } from '../unresolved/demand.ts';

/** What links of one note ask for in vain. */
export interface BrokenLink extends Wanted {
  readonly from: NoteRow;
}

/** The broken links of a View by the path of the note, then in the order of the note; of each note equal ones once. */
export const brokenLinks = perGeneration((view: View): readonly BrokenLink[] => {
  const broken: BrokenLink[] = [];
  // By what is asked for, the last note that asks: one map costs less than a set for each note.
  const last = new Map<string, NoteRow>();
  for (const from of view.notes()) {
    for (const missing of view.missingTargets(from)) {
      const asked = wantedByOne(missing, from);
      if (asked === null || last.get(asked.key) === from) continue;
      last.set(asked.key, from);
      broken.push({ key: asked.key, target: asked.target, from });
    }
  }
  return broken;
});

/** True for a link of the note that asks for this. */
export function asksFor({ from, key }: BrokenLink, link: MissingTarget): boolean {
  return wantedByOne({ kind: link.kind, target: link.target }, from)?.key === key;
}
