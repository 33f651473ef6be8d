import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTestReport, reportFile, summaryLine } from './test-report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules');

/** Format, types, boundaries, then all tests; each step only when the one before it held. */
const steps: readonly {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}[] = [
  {
    name: 'format and lint',
    program: process.execPath,
    args: [join(bin, '@biomejs/biome/bin/biome'), 'check', '.'],
  },
  {
    name: 'types',
    program: process.execPath,
    args: [join(bin, 'typescript/bin/tsc'), '-p', 'tsconfig.json', '--noEmit'],
  },
  { name: 'boundaries', program: process.execPath, args: ['scripts/check-boundaries.ts'] },
  {
    name: 'tests',
    program: process.execPath,
    args: [
      join(bin, 'vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...process.argv.slice(2),
    ],
  },
];

rmSync(reportFile, { force: true });
let failed: string | null = null;
for (const step of steps) {
  console.log(`\n${step.name}`);
  const { status, error } = spawnSync(step.program, step.args, { cwd: root, stdio: 'inherit' });
  if (status === 0) continue;
  failed = step.name;
  if (error !== undefined) console.error(error.message);
  break;
}
const report = readTestReport();
if (failed !== null) console.error(`\n${failed}: failed`);
if (report !== null) console.log(`\n${summaryLine(report)}`);
process.exitCode = failed === null && report !== null && report.passed > 0 && report.failed === 0 ? 0 : 1;
