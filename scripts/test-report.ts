import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { errorCode } from '../packages/core/src/index.ts';

/** Where the test runner leaves its report. */
export const reportFile = fileURLToPath(new URL('../test-report.json', import.meta.url));

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What the runner reported; null where no test ran, since an earlier step failed. */
export function readTestReport(): TestCounts | null {
  let text: string;
  try {
    text = readFileSync(reportFile, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  const report = JSON.parse(text) as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
    numTodoTests: number;
    success: boolean;
  };
  return {
    passed: report.numPassedTests,
    // A file that does not load has no failed test of its own, but fails the run.
    failed: report.numFailedTests === 0 && !report.success ? 1 : report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** `N passed, N failed, N skipped`. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

if (import.meta.main) {
  const report = readTestReport();
  if (report === null) process.exitCode = 1;
  else console.log(summaryLine(report));
}
