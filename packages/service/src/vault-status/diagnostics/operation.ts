import { isWithin, Slices } from '@grove/core';
import { jsonBytes } from '../../answers/size.ts';
import type { Scope } from '../../contract.ts';
import { findFolder } from '../../filters/folders.ts';
import { locateByName, notFound } from '../../notes/locate.ts';
import { canWrite } from '../../write-note/listed.ts';
import { buildingRemarks } from '../building.ts';
import type { VaultStatusInput } from '../contract.ts';
import { brokenFrontmatterDiagnosis } from './broken-frontmatter.ts';
import { brokenLinkDiagnosis } from './broken-links.ts';
import { brokenRuleDiagnosis } from './broken-rules.ts';
import { conflictCopyDiagnosis } from './conflict-copies.ts';
import type { DiagnosticsAnswer, Finding } from './contract.ts';
import type { Diagnosis, Faults } from './diagnosis.ts';
import { duplicateTitleDiagnosis } from './duplicate-titles.ts';
import { emptyNoteDiagnosis } from './empty-notes.ts';
import { likenessRemarks, nearDuplicateDiagnosis } from './near-duplicates.ts';
import { orphanDiagnosis } from './orphans.ts';
import { skippedFileDiagnosis } from './skipped-files.ts';
import { staleInboxDiagnosis } from './stale-inbox.ts';

/** Findings of each kind, unless the caller says. */
const LIMIT = 5;
/** What all findings may take as JSON, each kind its part. */
const FINDINGS_BYTES = 18 * 1024;

const DIAGNOSES: readonly Diagnosis[] = [
  conflictCopyDiagnosis,
  brokenFrontmatterDiagnosis,
  brokenLinkDiagnosis,
  brokenRuleDiagnosis,
  skippedFileDiagnosis,
  duplicateTitleDiagnosis,
  nearDuplicateDiagnosis,
  emptyNoteDiagnosis,
  staleInboxDiagnosis,
  orphanDiagnosis,
];

/**
 * What is wrong with the notes of the View, with the call that mends it.
 *
 * @throws GroveError `note_not_found` with near names, `note_ambiguous`
 */
export async function tellDiagnostics(
  scope: Scope,
  { path, limit }: Pick<VaultStatusInput, 'path' | 'limit'>,
): Promise<DiagnosticsAnswer> {
  const within = path === null ? null : subjectCalled(scope, path);
  const isAsked = within === null ? null : within.holds;
  const all: { kind: Diagnosis['kind']; faults: Faults }[] = [];
  const slices = new Slices();
  for (const { kind, find } of DIAGNOSES) {
    if (slices.spent) await slices.rest();
    const faults = await find({ scope, isAsked });
    if (faults.total > 0) all.push({ kind, faults });
  }
  const found: DiagnosticsAnswer['found'] = [];
  for (const { kind, faults } of all) {
    const findings = await firstOf(faults, limit ?? LIMIT, FINDINGS_BYTES / all.length);
    found.push({ kind, total: faults.total, findings });
  }
  return {
    mode: 'diagnostics',
    vault: scope.vault.name,
    remarks: [...buildingRemarks(scope), ...writeRemarks(scope), ...(await likenessRemarks(scope))],
    ...(within === null ? {} : { within: within.name }),
    notes: isAsked === null ? scope.view.size : scope.view.notes().filter(({ path }) => isAsked(path)).length,
    findings_total: all.reduce((sum, { faults }) => sum + faults.total, 0),
    found,
  };
}

/** What is told of the first faults until it fills its part of the answer, at least one. */
async function firstOf(faults: Faults, limit: number, bytes: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  let left = bytes;
  for await (const finding of faults.tell(limit)) {
    if (finding === null) continue;
    left -= jsonBytes(finding) + 1;
    if (left < 0 && findings.length > 0) break;
    findings.push(finding);
  }
  return findings;
}

/** A folder by its path, else a note by any of its names. */
function subjectCalled(scope: Scope, path: string): { readonly name: string; holds(one: string): boolean } {
  const folder = findFolder(scope.view, path);
  if (folder !== null) return { name: folder, holds: (one) => isWithin(one, folder) };
  const located = locateByName(scope, path);
  if (located === null || 'wouldBe' in located) throw notFound(scope, path);
  const { row } = located;
  return { name: row.path, holds: (one) => one === row.path };
}

function writeRemarks(scope: Scope): string[] {
  return canWrite(scope) ? [] : ['You may not write here: no call is named that would mend something.'];
}
