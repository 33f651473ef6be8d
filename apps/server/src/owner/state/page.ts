import type { HealthAnswer } from '@grove/service';
import { type Html, html } from '../../pages/html.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { counted, named } from '../desk/shown.ts';

/** Seconds until the page is loaded anew, while something is going on. */
const REFRESH_S = 10;
/** Files that are named. */
const NAMED = 20;

/** How the vault is, as `vault_status` tells its owner. */
export function statePage(visit: Visit, health: HealthAnswer): SectionPage {
  const { embedding, history, index } = health;
  const isBusy =
    health.state === 'opening' || !history.ready || (index.pending ?? 0) > 0 || (embedding.pending ?? 0) > 0;
  return {
    title: 'State',
    ...(isBusy ? { refreshAfter: REFRESH_S } : {}),
    body: html`${health.remarks.map((remark) => html`<p class="failure">${remark}</p>`)}
<dl>
<dt>Vault</dt><dd>${named(health.vault)}, ${health.state}</dd>
${row('Problem', health.problem)}
<dt>Notes</dt><dd>${health.notes.toLocaleString('en')} in ${counted(health.folders, 'folder')}</dd>
<dt>Index</dt><dd>${index.state}${(index.pending ?? 0) > 0 && `, ${counted(index.pending ?? 0, 'note')} to be indexed`}</dd>
${row('Index problem', index.problem)}
<dt>Meaning</dt><dd>${embedding.note}</dd>
${embedding.configured && html`<dt>Queue</dt><dd>${counted(embedding.pending ?? 0, 'note')} to be embedded, ${counted(embedding.failed ?? 0, 'note')} failed</dd>`}
${row('Embedder problem', embedding.problem)}
<dt>History</dt><dd>${history.ready ? 'read' : 'being read'}</dd>
${row('History problem', history.problem)}
${health.git_dir && html`<dt>Git</dt><dd>${counted(health.git_dir.loose_objects, 'object')} not packed, ${megabytes(health.git_dir.bytes)}</dd>`}
${row('Uncommitted', health.autocommit?.uncommitted?.toLocaleString('en'))}
${health.trash && html`<dt>Trash</dt><dd>${counted(health.trash.notes, 'note')}, ${megabytes(health.trash.bytes)}</dd>`}
${health.memory_bytes !== undefined && html`<dt>Memory</dt><dd>${megabytes(health.memory_bytes)}</dd>`}
</dl>
${writesPart(visit)}
${filesPart(
  'Skipped files',
  health.skipped_total ?? 0,
  (health.skipped ?? []).map(({ path, reason }) => html`<li>${named(path)}: ${reason}</li>`),
)}
${filesPart(
  'Notes whose frontmatter does not parse',
  health.broken_frontmatter_total,
  health.broken_frontmatter.map((path) => html`<li>${named(path)}</li>`),
)}`,
  };
}

function writesPart({ at, form, opened }: Visit): Html {
  const { on, problem } = opened.writes;
  return html`<section aria-labelledby="writing">
<h2 id="writing">Writing</h2>
<p>${on ? 'Clients may change notes, as far as their keys let them.' : 'Clients may only read.'}</p>
${problem !== null && html`<p>${problem}</p>`}
<form method="post" action="${at}/writes">${form}<input type="hidden" name="writes" value="${on ? 'off' : 'on'}"><button type="submit" class="quiet">${on ? 'Switch writing off' : 'Switch writing on'}</button></form>
</section>`;
}

function filesPart(title: string, total: number, files: readonly Html[]): Html | null {
  if (total === 0) return null;
  const shown = files.slice(0, NAMED);
  return html`<details><summary>${title}: ${total.toLocaleString('en')}</summary>
<ul>${shown}</ul>
${total > shown.length && html`<p>and ${(total - shown.length).toLocaleString('en')} more: <code>grove status</code></p>`}
</details>`;
}

function row(name: string, text: string | undefined): Html | null {
  return text === undefined ? null : html`<dt>${name}</dt><dd>${text}</dd>`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
