import { GroveError } from '@grove/core';
import type { OpenedVault, TrailPreview } from '@grove/service';
import type { TrailRules } from '@grove/trails';
import * as z from 'zod';

/** Notes that one answer lists. */
const MOST_NOTES = 1_000;

const count = z.int().min(0);

/** What a trail would show, as its owner is told. */
export const PREVIEW = z.object({
  /** How many notes it shows. */
  visible: count,
  /** How many it does not. */
  hidden: count,
  /** What it shows, by path; the first thousand. */
  notes: z.array(z.object({ path: z.string(), title: z.string().optional() })),
  /** Rules that do nothing here. */
  remarks: z.array(z.string()),
  /** Why the note that was asked about is in or out. */
  verdict: z.object({ path: z.string(), visible: z.boolean(), reason: z.string() }).nullable(),
  /** Where notes that are shown name others that are not: what people typed is served as it is. */
  warnings: z.array(
    z.object({
      path: z.string(),
      line: z.int(),
      text: z.string(),
      how: z.enum(['link', 'embed', 'title', 'alias']),
      /** The note that is not shown. */
      names: z.string(),
    }),
  ),
  /** False where there are more of those than were looked for. */
  complete: z.boolean(),
});

/** What a trail would show, as its owner is told. JSON. */
export type PreviewAnswer = z.infer<typeof PREVIEW>;

/**
 * Previews a trail.
 *
 * @param note any name of a note; null for none
 * @throws GroveError `note_not_found`, `note_ambiguous`
 */
export async function previewAnswer(
  opened: OpenedVault,
  rules: TrailRules,
  note: string | null,
): Promise<PreviewAnswer> {
  await opened.ready;
  const preview = opened.preview(rules);
  const verdict = note === null ? null : verdictOf(preview, note);
  const { warnings, complete } = await preview.warnings();
  return {
    visible: preview.visible.length,
    hidden: preview.hidden,
    notes: preview.visible.slice(0, MOST_NOTES),
    remarks: [...preview.remarks],
    verdict,
    warnings: [...warnings],
    complete,
  };
}

function verdictOf(preview: TrailPreview, note: string): NonNullable<PreviewAnswer['verdict']> {
  const verdict = preview.verdictOf(note);
  if (verdict === null) throw new GroveError('note_not_found', { path: note.slice(0, 200).toWellFormed() });
  return verdict;
}
