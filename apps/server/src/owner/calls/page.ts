import type { AuditRow } from '@grove/access';
import { type Html, html } from '../../pages/html.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { counted, moment, named } from '../desk/shown.ts';

/** Calls, newest first. */
export function callsPage(visit: Visit, rows: readonly AuditRow[], hasMore: boolean): SectionPage {
  const last = rows.at(-1);
  return {
    title: 'Calls',
    body: html`<p>Who called what, and how it ended. Neither queries nor text of notes are kept.</p>
${rows.length === 0 && html`<p>Nothing was called.</p>`}
<ul class="items">${rows.map((row) => callItem(visit, row))}</ul>
${hasMore && last !== undefined && html`<p><a href="?before=${last.sequence}">Earlier calls</a></p>`}`,
  };
}

function callItem({ opened }: Visit, row: AuditRow): Html {
  const { at, principal, client, tool, via, ms, found, withheld, outcome, address } = row;
  const counts = [
    ...(found === null ? [] : [counted(found, 'note')]),
    ...(withheld === null ? [] : [`${withheld.toLocaleString('en')} withheld`]),
  ];
  return html`<li>
<h3>${named(tool)} <span class="aside">${outcome}</span></h3>
<p>${named(principal.name)}${client === null ? '' : html` with ${named(client)}`}${counts.length > 0 && `: ${counts.join(', ')}`}</p>
<p class="aside">${moment(at, opened.vault.zone)} · ${via} · ${Math.round(ms).toLocaleString('en')} ms${address === null ? '' : html` · ${named(address)}`}</p>
</li>`;
}
