import { GroveError } from '@grove/core';
import { type Command, CommanderError } from 'commander';
import { embedder } from '../doctor/embedder-check.ts';
import {
  command as commandCheck,
  dataFolder,
  gitFolder,
  nativeModule,
  nodeVersion,
  vaultFolder,
} from '../doctor/environment-checks.ts';
import { type Check, type DoctorSubject, type Finding, note, type VaultSubject } from '../doctor/finding.ts';
import { gitSize } from '../doctor/git-size-check.ts';
import { guarded } from '../doctor/guarded.ts';
import { index } from '../doctor/index-check.ts';
import { mcpCheck } from '../doctor/mcp-check.ts';
import { owner } from '../doctor/owner-check.ts';
import { checkServer } from '../doctor/server-checks.ts';
import type { CommonOptions, Run } from '../run.ts';
import { inOwnWords, ownCommand } from '../terminal/own-command.ts';
import { paint, printJson } from '../terminal/print.ts';
import { verbLog } from '../terminal/run-log.ts';
import { chooseVault } from '../vaults/choose-vault.ts';
import { meantVaults } from '../vaults/known-vaults.ts';
import { dataDirOf, namedVault, occupancyOptions } from '../vaults/vault-of-run.ts';

const MACHINE_CHECKS: readonly Check[] = [nodeVersion, commandCheck, nativeModule, dataFolder, embedder];
const VAULT_CHECKS: readonly Check<VaultSubject>[] = [
  vaultFolder,
  gitFolder,
  owner,
  index,
  gitSize,
  mcpCheck('2025-11-25'),
  mcpCheck('2026-07-28'),
];

type Found = (finding: Finding) => void;

/** `grove doctor`; exit code 1 when something is wrong. */
export function doctorVerb(command: Command, run: Run): void {
  command
    .description(
      'Check the machine, the folders, the index, the running server and both MCP revisions; say how to mend what is wrong',
    )
    .action(async (options: CommonOptions) => {
      const findings: Finding[] = [];
      const own = ownCommand(run);
      const found = (finding: Finding): void => {
        findings.push(finding);
        if (options.json !== true) run.stdout.write(inOwnWords(lineOf(finding, run), own));
      };
      const machine: DoctorSubject = { run, dataDir: dataDirOf(run, options) };
      for (const check of MACHINE_CHECKS) await perform(check, machine, found);
      await checkVaults(machine, options, found);
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (options.json === true) printJson(run, { problems, findings });
      else run.stdout.write(problems === 0 ? 'All is well.\n' : `${problems} to mend.\n`);
      if (problems > 0) throw new CommanderError(PROBLEMS_FOUND, 'grove.problems', '');
    });
}

/** Exit code when there is something to mend. */
const PROBLEMS_FOUND = 1;

/** The named vault, else each that is known. One that cannot be found is a finding of its own. */
async function checkVaults(machine: DoctorSubject, options: CommonOptions, found: Found): Promise<void> {
  const { run, dataDir } = machine;
  const log = verbLog(run);
  await guarded('Vault', found, async () => {
    const named = namedVault(run, options);
    const names = named === null ? (await meantVaults(dataDir)).map(({ slug }) => slug) : [named];
    if (names.length === 0)
      found({ check: 'Vault', ...note('none is known yet; "grove start --vault DIR" opens one') });
    const several = names.length > 1;
    for (const name of names) {
      if (several && options.json !== true) run.stdout.write(`\n${name}\n`);
      const told: Found = several ? (finding) => found({ ...finding, vault: name }) : found;
      await guarded('Vault', told, async () => {
        const chosen = await chooseVault({ named: name, dataDir, from: run.from });
        if (chosen === null) throw new GroveError('vault_none');
        const vault = occupancyOptions(run, options, chosen, 'cli', log);
        for (const check of VAULT_CHECKS) await perform(check, { ...machine, vault }, told);
        await checkServer({ ...machine, vault }, told);
      });
    }
    if (several && options.json !== true) run.stdout.write('\n');
  });
}

async function perform<Subject>(check: Check<Subject>, subject: Subject, found: Found): Promise<void> {
  await guarded(check.name, found, async () => found({ check: check.name, ...(await check.run(subject)) }));
}

const MARKS = { ok: ['green', 'ok'], note: ['yellow', '--'], problem: ['red', 'NO'] } as const;

function lineOf({ check, state, message, mend }: Finding, run: Run): string {
  const [colour, mark] = MARKS[state];
  const line = `${paint(colour, mark, run.stdout)} ${check.padEnd(17)} ${message}\n`;
  return mend === null ? line : `${line}   ${' '.repeat(17)} ${mend}\n`;
}
