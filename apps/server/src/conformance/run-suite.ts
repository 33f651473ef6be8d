import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { CLIENTS } from './installed-clients.ts';
import { runProgram } from './run-program.ts';

/** What one scenario found. */
export interface ScenarioResult {
  readonly scenario: string;
  /** Whether the revision requires it. */
  readonly scored: boolean;
  /** Checks that held, the one on the form of all messages left out: a scenario that tried nothing has that too. */
  readonly held: number;
  /** Checks that failed, each with its reason. */
  readonly failures: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

const FORM = 'wire-schema-valid';

/**
 * Runs the official conformance suite against a server; for use within a test.
 *
 * @param url address of the MCP endpoint; the suite sends no key
 * @param revision revision of the protocol, such as `2026-07-28`
 * @throws Error when the suite left no results, with what it wrote
 */
export async function runSuite(url: string, revision: string): Promise<readonly ScenarioResult[]> {
  const folder = temporaryFolder('conformance');
  const suite = [CLIENTS.conformance, 'server', '--url', url, '--requirements', revision];
  const ended = await runProgram(process.execPath, [...suite, '--output-dir', folder]);
  const scored = scoredScenarios(revision);
  const results = resultsIn(folder, /^server-/, (scenario) => scored.has(scenario));
  if (results.length === 0) throw new Error(`The suite tested nothing: ${ended.stdout}${ended.stderr}`);
  return results;
}

/**
 * What the suite wrote down, a folder for each scenario.
 *
 * @param kind the beginning of the folders' names, before the name of the scenario
 */
export function resultsIn(
  folder: string,
  kind: RegExp,
  isScored: (scenario: string) => boolean,
): readonly ScenarioResult[] {
  return readdirSync(folder).map((name): ScenarioResult => {
    const scenario = name.replace(kind, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[];
    return {
      scenario,
      scored: isScored(scenario),
      held: checks.filter(({ id, status }) => status === 'SUCCESS' && id !== FORM).length,
      failures: checks
        .filter(({ status }) => status === 'FAILURE')
        .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage ?? ''}`),
    };
  });
}

/** The list `server:` of the suite's own file of requirements. */
function scoredScenarios(revision: string): ReadonlySet<string> {
  const text = readFileSync(join(CLIENTS.requirements, `${revision}.yaml`), 'utf8');
  const list = /^server:\n((?: +- .+\n)+)/m.exec(text)?.[1] ?? '';
  return new Set([...list.matchAll(/^ +- (\S+)$/gm)].map(([, scenario = '']) => scenario));
}
