import type { OpenedVault } from '@grove/service';

/** What is told of an opened vault, also as one JSON line. */
export interface Summary {
  readonly slug: string;
  readonly notes: number;
  readonly skipped: number;
  readonly broken_frontmatter: number;
  /** Notes that were read; 0 when nothing changed since the last run. */
  readonly parsed: number;
  readonly seconds: number;
}

/** Counts of a vault that is ready. `startedAt` is a `performance.now()`. */
export function summarise(opened: OpenedVault, startedAt: number): Summary {
  const health = opened.vault.health();
  return {
    slug: opened.slug,
    notes: health.notes,
    skipped: health.skipped.length,
    broken_frontmatter: health.brokenFrontmatter,
    parsed: health.parsed,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  };
}

/** The summary as a line for a person. */
export function summaryLine(summary: Summary): string {
  const asides = [
    ...(summary.skipped > 0 ? [`${summary.skipped} files skipped, see grove status`] : []),
    ...(summary.broken_frontmatter > 0
      ? [`${summary.broken_frontmatter} with frontmatter that does not parse`]
      : []),
  ];
  const aside = asides.length === 0 ? '' : ` (${asides.join('; ')})`;
  const read = summary.parsed === 0 ? 'nothing changed' : `${summary.parsed} read`;
  return `${summary.slug}: ${summary.notes} notes${aside}, ${read}, ready in ${summary.seconds} s`;
}
