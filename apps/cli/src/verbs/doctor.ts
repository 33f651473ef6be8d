import { createLog } from '@grove/server';
import { type Command, CommanderError } from 'commander';
import {
  command as commandCheck,
  dataFolder,
  gitFolder,
  nativeModule,
  nodeVersion,
  vaultFolder,
} from '../doctor/environment-checks.ts';
import type { Check, DoctorSubject, Finding } from '../doctor/finding.ts';
import { index } from '../doctor/index-check.ts';
import { mcpCheck } from '../doctor/mcp-check.ts';
import { owner } from '../doctor/owner-check.ts';
import { checkServer } from '../doctor/server-checks.ts';
import { describeFailure } from '../failure.ts';
import type { CommonOptions, Run } from '../run.ts';
import { paint, printJson } from '../terminal/print.ts';
import { chooseVault } from '../vaults/choose-vault.ts';
import { dataDirOf, namedVault, occupancyOptions } from '../vaults/vault-of-run.ts';

const CHECKS: readonly Check[] = [
  nodeVersion,
  commandCheck,
  nativeModule,
  dataFolder,
  vaultFolder,
  gitFolder,
  owner,
  index,
  mcpCheck('2025-11-25'),
  mcpCheck('2026-07-28'),
];

/** `grove doctor`; exit code 1 when something is wrong. */
export function doctorVerb(command: Command, run: Run): void {
  command
    .description(
      'Check the machine, the folders, the index, the running server and both MCP revisions; say how to mend what is wrong',
    )
    .action(async (options: CommonOptions) => {
      const findings: Finding[] = [];
      const found = (finding: Finding): void => {
        findings.push(finding);
        if (options.json !== true) run.stdout.write(lineOf(finding, run));
      };
      const subject = await subjectOf(run, options, found);
      for (const check of CHECKS) found(await perform(check, subject));
      await checkServer(subject, found);
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (options.json === true) printJson(run, { problems, findings });
      else run.stdout.write(problems === 0 ? 'All is well.\n' : `${problems} to mend.\n`);
      if (problems > 0) throw new CommanderError(PROBLEMS_FOUND, 'grove.problems', '');
    });
}

/** Exit code when there is something to mend. */
const PROBLEMS_FOUND = 1;

/** A vault that cannot be found is a finding of its own; the other checks go on without it. */
async function subjectOf(
  run: Run,
  options: CommonOptions,
  found: (finding: Finding) => void,
): Promise<DoctorSubject> {
  const log = createLog(run.settings.logLevel);
  const dataDir = dataDirOf(run, options);
  try {
    const vault = await chooseVault({ named: namedVault(run, options), dataDir, from: run.from });
    const occupancy = vault === null ? null : occupancyOptions(run, options, vault, 'cli', log);
    return { run, dataDir, vault: occupancy, log };
  } catch (error) {
    const { message, hint } = describeFailure(error);
    found({ check: 'Vault', state: 'problem', message, mend: hint });
    return { run, dataDir, vault: null, log };
  }
}

async function perform(check: Check, subject: DoctorSubject): Promise<Finding> {
  try {
    return { check: check.name, ...(await check.run(subject)) };
  } catch (error) {
    const { message, hint } = describeFailure(error);
    return { check: check.name, state: 'problem', message, mend: hint };
  }
}

const MARKS = { ok: ['green', 'ok'], note: ['yellow', '--'], problem: ['red', 'NO'] } as const;

function lineOf({ check, state, message, mend }: Finding, run: Run): string {
  const [colour, mark] = MARKS[state];
  const line = `${paint(colour, mark, run.stdout)} ${check.padEnd(17)} ${message}\n`;
  return mend === null ? line : `${line}   ${' '.repeat(17)} ${mend}\n`;
}
