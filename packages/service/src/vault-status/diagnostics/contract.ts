import { z } from 'zod';
import { noteFactsShape } from '../../answers/note-facts.ts';

/** What is looked for, in the order in which it is told. */
export const FINDING_KINDS = [
  'conflict_copies',
  'broken_frontmatter',
  'broken_links',
  'broken_rules',
  'skipped_files',
  'duplicate_titles',
  'near_duplicates',
  'empty_notes',
  'stale_inbox',
  'orphans',
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

const findingShape = z.object({
  ...noteFactsShape,
  /** Absent for what is no note. */
  link: z.string().optional(),
  /** What is wrong, as a sentence about the note. */
  why: z.string(),
  /** Other notes that it is about: the likely targets, the likeliest first; those of the same title or text. */
  others: z.array(z.string()).optional(),
  /** What write_note takes to mend it; absent where no call can, or this caller may not make it. */
  call: z.record(z.string(), z.unknown()).optional(),
});

export const diagnosticsOutput = z.object({
  mode: z.literal('diagnostics'),
  vault: z.string(),
  remarks: z.array(z.string()),
  /** The note or folder that was looked at; absent for the whole vault. */
  within: z.string().optional(),
  /** Notes that were looked at. */
  notes: z.int(),
  /** All that was found. */
  findings_total: z.int(),
  /** Kinds of which something was found, each with the first of them. */
  found: z.array(
    z.object({
      kind: z.enum(FINDING_KINDS),
      total: z.int(),
      findings: z.array(findingShape),
    }),
  ),
});

export type DiagnosticsAnswer = z.infer<typeof diagnosticsOutput>;
export type Finding = z.infer<typeof findingShape>;
