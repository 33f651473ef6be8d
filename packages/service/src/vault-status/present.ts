import { plural, remarkLines, shortTime } from '../answers/markdown.ts';
import { syncLine } from '../sync/present.ts';
import { sizeText } from '../trash/present.ts';
import type { HealthAnswer } from './contract.ts';
import { rulesLines } from './rules.ts';

/** The answer of vault_status as Markdown. */
export function presentHealth(answer: HealthAnswer): string {
  const { file, index, watching } = answer;
  const lines = [
    `Vault "${answer.vault}" (${answer.dialect}) is ${answer.state}. It is ${shortTime(answer.now)} in ${answer.zone}.`,
  ];
  lines.push(...remarkLines(answer.remarks));
  if (answer.problem !== undefined) lines.push(`Problem: ${answer.problem}`);
  for (const { part, problem, next } of answer.degraded ?? [])
    lines.push(`Degraded, ${part}: ${problem} Next: ${next}`);
  if (file !== undefined) return [...lines, `${file.path}: ${file.status}. ${file.reason}`].join('\n');
  lines.push(
    `- ${answer.state === 'opening' ? 'So far ' : ''}${plural(answer.notes, 'note')} in ${plural(answer.folders, 'folder')}, ${plural(answer.tags, 'tag')}, ${plural(answer.words, 'word')}, ${plural(answer.bytes, 'byte')}`,
    `- Index: ${index.state}${indexCounts(index)}`,
  );
  if (index.rebuilt !== undefined) lines.push(`- Built anew: ${index.rebuilt}`);
  if (index.problem !== undefined) lines.push(`- Index problem: ${index.problem}`);
  lines.push(`- History: ${historyState(answer.history)}`);
  if (answer.writes !== undefined) lines.push(`- Writing: ${writesState(answer.writes)}`);
  if (answer.queue !== undefined && answer.queue.waiting > 0)
    lines.push(
      `- Queue: ${plural(answer.queue.waiting, 'write')}, the oldest for ${answer.queue.oldest_ms} ms`,
    );
  if (answer.rules !== undefined) lines.push(...rulesLines(answer.rules));
  if (answer.autocommit !== undefined) lines.push(`- Outside edits: ${outsideEdits(answer.autocommit)}`);
  if (answer.trash !== undefined) lines.push(`- Trash: ${trashState(answer.trash)}`);
  if (answer.sync !== undefined) lines.push(`- Sync: ${syncLine(answer.sync)}`);
  if (answer.git_dir !== undefined) lines.push(`- Git dir: ${gitDir(answer.git_dir)}`);
  lines.push(`- ${answer.embedding.note}`);
  if (answer.broken_frontmatter_total > 0)
    lines.push(
      `- Frontmatter that does not parse: ${listed(answer.broken_frontmatter, answer.broken_frontmatter_total)}`,
    );
  if (watching !== undefined)
    lines.push(
      `- Watching by ${watching.mode}; a change is seen within ${watching.bound_ms / 1000} s${watching.problem === undefined ? '' : `. ${watching.problem}`}`,
    );
  lines.push(...skippedLines(answer));
  if (answer.parsed !== undefined) lines.push(`- Notes read since the start: ${answer.parsed}`);
  if (answer.memory_bytes !== undefined) lines.push(`- Memory: ${Math.round(answer.memory_bytes / 1e6)} MB`);
  return lines.join('\n');
}

function historyState({ ready, problem }: HealthAnswer['history']): string {
  if (problem !== undefined) return `cannot be read, so times come from the notes and files. ${problem}`;
  return ready ? 'read' : 'still being read; times may change';
}

function writesState({ on, problem, note }: NonNullable<HealthAnswer['writes']>): string {
  if (problem !== undefined) return `not possible. ${problem}`;
  const state = on ? 'on' : 'off; the owner switches it on with: grove vault writes on';
  return note === undefined ? state : `${state}. ${note}`;
}

function outsideEdits({ on, uncommitted, problem }: NonNullable<HealthAnswer['autocommit']>): string {
  const how = on ? 'committed when the vault is quiet' : 'not committed by themselves (autocommit is off)';
  const open = uncommitted === undefined ? '' : `; ${plural(uncommitted, 'note')} not committed`;
  return `${how}${open}${problem === undefined ? '' : `. The last try failed: ${problem}`}`;
}

function gitDir({
  bytes,
  loose_objects,
  packs,
  maintenance,
  due,
  problem,
}: NonNullable<HealthAnswer['git_dir']>): string {
  const counted = `${megabytes(bytes)}, ${plural(loose_objects, 'loose object')}, ${plural(packs, 'pack')}`;
  const next = !due
    ? ''
    : maintenance
      ? '; they are packed at the next quiet moment'
      : '; pack them with: grove maintain';
  return `${counted}${next}${problem === undefined ? '' : `. The last packing was not done: ${problem}`}`;
}

function trashState({ notes, bytes }: NonNullable<HealthAnswer['trash']>): string {
  return `${plural(notes, 'note')}, ${sizeText(bytes)}; remove them with: grove trash empty`;
}

function megabytes(bytes: number): string {
  return bytes < 1e6 ? 'under 1 MB' : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
}

function indexCounts({ documents, pending }: HealthAnswer['index']): string {
  return documents === undefined ? '' : `, ${plural(documents, 'document')}, ${pending} waiting`;
}

function skippedLines({ skipped, skipped_total, unreadable_folders }: HealthAnswer): string[] {
  const lines: string[] = [];
  if (skipped_total !== undefined && skipped_total > 0) {
    lines.push(`- Skipped: ${plural(skipped_total, 'file')}`);
    lines.push(...(skipped ?? []).map(({ path, reason }) => `  - ${path}: ${reason}`));
    const left = skipped_total - (skipped?.length ?? 0);
    if (left > 0) lines.push(`  - and ${left} more`);
  }
  if (unreadable_folders !== undefined && unreadable_folders.length > 0)
    lines.push(`- Folders that cannot be read: ${unreadable_folders.join(', ')}`);
  return lines;
}

function listed(shown: readonly string[], total: number): string {
  return `${shown.join(', ')}${total > shown.length ? ` and ${total - shown.length} more` : ''}`;
}
