import { plural, remarkLines } from '../../answers/markdown.ts';
import { oneLine } from '../../answers/note-facts.ts';
import type { DiagnosticsAnswer, Finding, FindingKind } from './contract.ts';

const TITLES: Readonly<Record<FindingKind, string>> = {
  conflict_copies: 'Conflict copies',
  broken_frontmatter: 'Frontmatter that does not parse',
  broken_links: 'Broken links',
  broken_rules: 'Notes that break rules of the vault',
  skipped_files: 'Skipped files',
  duplicate_titles: 'Titles of several notes',
  near_duplicates: 'Notes that say the same',
  empty_notes: 'Empty notes',
  stale_inbox: 'Left in the inbox',
  orphans: 'Orphans',
};

/** The answer of vault_status in mode diagnostics as Markdown. */
export function presentDiagnostics({
  vault,
  within,
  notes,
  findings_total,
  found,
  remarks,
}: DiagnosticsAnswer): string {
  const where = within === undefined || within === '' ? '' : ` of ${oneLine(within)}`;
  const lines = [
    `Vault "${vault}": ${plural(findings_total, 'finding')} in ${plural(notes, 'note')}${where}.`,
    ...remarkLines(remarks),
  ];
  if (found.some(({ findings }) => findings.some(({ call }) => call !== undefined)))
    lines.push('The call below a finding is what to send to write_note; look at it before you do.');
  for (const { kind, total, findings } of found) {
    lines.push(`${TITLES[kind]}: ${total}`, ...findings.flatMap(findingLines));
    if (total > findings.length) lines.push(`- and ${total - findings.length} more`);
  }
  return lines.join('\n');
}

function findingLines({ path, why, call }: Finding): string[] {
  return [
    `- ${oneLine(path)}: ${oneLine(why)}`,
    ...(call === undefined ? [] : [`  ${JSON.stringify(call)}`]),
  ];
}
