import { plural, shortTime } from '../answers/markdown.ts';
import { oneLine } from '../answers/note-facts.ts';
import type { SyncAnswer, SyncRunAnswer, SyncState } from './answer.ts';

/** Files that are named in the text. */
const NAMED = 10;

const MODES: Readonly<Record<SyncState['mode'], string>> = {
  off: 'off',
  on: 'on',
  pull: 'on, pulling alone',
  push: 'on, pushing alone',
};

/** The answer of sync as Markdown. */
export function presentSync({ vault, sync, run, last_run, remarks }: SyncAnswer): string {
  const lines = run === undefined ? [] : runLines(run);
  if (run === undefined && sync.state === 'running') lines.push('A run is under way.');
  lines.push(`Sync of ${vault} is ${syncLine(sync)}`);
  const last = last_run === undefined ? [] : runLines({ ...last_run, problem: undefined });
  if (last.length > 0) lines.push(`Last run: ${last.join(' ')}`);
  // What the run failed of was told.
  if (run?.problem === undefined && sync.problem !== undefined)
    lines.push(
      `Problem since ${shortTime(sync.problem.since)}: ${sync.problem.message} Next: ${sync.problem.hint}`,
    );
  return [...lines, ...remarks.map(oneLine)].join('\n');
}

/** How sync stands, as the rest of a line. */
export function syncLine(sync: SyncState): string {
  const {
    mode,
    url,
    host,
    branch,
    remote,
    ahead,
    behind,
    conflicts,
    last_pull,
    last_push,
    next_at,
    problem,
  } = sync;
  const where = url === undefined ? 'no remote is set' : `${remote} is ${url}`;
  const facts = [
    branch === undefined || host === undefined ? where : `${where}, branch ${branch}`,
    ...(last_pull === undefined ? [] : [`pulled ${shortTime(last_pull)}`]),
    ...(last_push === undefined ? [] : [`pushed ${shortTime(last_push)}`]),
    ...(ahead === undefined || ahead === 0 ? [] : [`${plural(ahead, 'commit')} to push`]),
    ...(behind === undefined || behind === 0 ? [] : [`${plural(behind, 'commit')} to pull`]),
    ...(conflicts === 0 ? [] : [`${plural(conflicts, 'conflict')} to settle: grove conflicts`]),
    ...(problem === undefined || next_at === undefined ? [] : [`tried again ${shortTime(next_at)}`]),
  ];
  return `${MODES[mode]}: ${facts.join('; ')}.`;
}

function runLines({
  pulled,
  pushed,
  changed,
  changed_total,
  conflicts,
  conflicts_total,
  problem,
}: SyncRunAnswer): string[] {
  const lines: string[] = [];
  if (pulled === 'up_to_date' || pulled === 'ahead') lines.push('The remote has nothing new.');
  if (pulled === 'fast_forward' || pulled === 'merged') {
    const how = pulled === 'merged' ? 'Merged what the remote has' : 'Took what the remote has';
    const more = changed_total > NAMED ? ` and ${changed_total - NAMED} more` : '';
    const named = changed.slice(0, NAMED).map(oneLine).join(', ');
    lines.push(`${how}: ${plural(changed_total, 'file')}${named === '' ? '' : ` (${named}${more})`}.`);
  }
  for (const { path, saved } of conflicts)
    lines.push(
      `Both sides changed ${oneLine(path)}; yours stays${saved === undefined ? '' : `, theirs is saved as ${oneLine(saved)}`}.`,
    );
  if (conflicts_total > conflicts.length)
    lines.push(`And ${conflicts_total - conflicts.length} more of these.`);
  if (pushed) lines.push('Pushed.');
  if (problem !== undefined) lines.push(`Problem: ${problem.message} Next: ${problem.hint}`);
  return lines;
}
