import { type AuditPage, type AuditRow, auditRecord, type Control, parseSince } from '@grove/access';
import { systemClock } from '@grove/core';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { printJson, visible, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';
import { wholeNumber } from './option-values.ts';

const HEAD = ['when', 'who', 'what', 'via', 'ms', 'found', 'withheld', 'outcome', 'from'];

/** What is asked of the audit, as it is typed. */
interface AuditWords {
  readonly key?: string;
  readonly trail?: string;
  readonly tool?: string;
  readonly since?: string;
  readonly refused?: boolean;
  readonly limit: number;
}

/** `grove audit` */
export function auditVerb(command: Command, run: Run): void {
  command
    .description(
      'See who called what and how it ended, newest first; no text of notes, no queries and no tokens are kept',
    )
    .option('--key <key>', 'only calls by this key, by its name or id, or by this grant, by its id')
    .option('--trail <trail>', 'only calls by this trail; its name or id')
    .option('--tool <tool>', 'only calls of this operation, such as query')
    .option('--since <when>', 'from then on: 7d, 12h, a day or an ISO time')
    .option('--refused', 'only calls that ended with an error')
    .option('--limit <number>', 'so many at most', wholeNumber, 50)
    .action(async (words: AuditWords & CommonOptions) => {
      const vault = await slugOfRun(run, words);
      const entries = withControl(run, words, (control) => control.audit.list(pageOf(control, vault, words)));
      if (words.json === true) printJson(run, { vault, entries: entries.map(auditRecord) });
      else if (entries.length === 0) run.stdout.write('Nothing was written down.\n');
      else run.stdout.write(withoutControls(`${auditTable(entries)}\n`));
    });
}

function pageOf(control: Control, vault: string, words: AuditWords): AuditPage {
  const { key, trail, tool, since, refused, limit } = words;
  return {
    // Sign-ins that fail belong to no vault.
    vaults: [vault, ''],
    limit,
    ...(key === undefined ? {} : { principal: principalOf(control, vault, key) }),
    ...(trail === undefined ? {} : { trail: trailOf(control, vault, trail) }),
    ...(tool === undefined ? {} : { tool }),
    ...(since === undefined ? {} : { since: parseSince(since, systemClock) }),
    ...(refused === true ? { outcome: 'refused' } : {}),
  };
}

/** An id is taken as it is: calls are kept for longer than what made them. */
function trailOf({ trails }: Control, vault: string, reference: string): string {
  return /^t_[\w-]{12}$/.test(reference) ? reference : trails.find(reference, { vault }).id;
}

function principalOf({ keys, grants }: Control, vault: string, reference: string): string {
  const isId = /^k_[\w-]{12}$/.test(reference) || grants.list({ vault }).some(({ id }) => id === reference);
  if (isId) return reference;
  return keys.find(reference, { vault }).id;
}

function auditTable(entries: readonly AuditRow[]): string {
  const count = (value: number | null): string => (value === null ? '' : String(value));
  return plainTable(
    HEAD,
    entries.map((entry) => [
      new Date(entry.at).toISOString().slice(0, 19).replace('T', ' '),
      visible(entry.principal.name),
      entry.tool,
      entry.via,
      entry.ms.toFixed(1),
      count(entry.found),
      count(entry.withheld),
      entry.outcome,
      entry.address ?? '',
    ]),
  );
}
