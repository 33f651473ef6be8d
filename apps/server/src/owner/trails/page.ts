import type { AuditDay, AuditSum, NewTrail, TrailFacts } from '@grove/access';
import { type Html, html } from '../../pages/html.ts';
import type { PreviewAnswer } from '../../trails/preview-answer.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { counted, momentOr, named } from '../desk/shown.ts';
import { newTrailForm } from './form.ts';

/** A trail, and what became of it. */
export interface UsedTrail {
  readonly trail: TrailFacts;
  readonly usage: AuditSum;
}

/** Notes of a preview, and days of its use, that are listed. */
const NOTES = 200;
const DAYS = 14;

/** The trails of a vault. */
export function trailsPage(visit: Visit, trails: readonly UsedTrail[]): SectionPage {
  return {
    title: 'Trails',
    body: html`<p>A trail shares a part of this vault, with people and with the assistants that they use.</p>
${trails.length === 0 && html`<p>Nothing is shared.</p>`}
<ul class="items">${trails.map((used) => trailItem(visit, used))}</ul>
${newTrailForm(visit)}`,
  };
}

function trailItem({ at, form, opened }: Visit, { trail, usage }: UsedTrail): Html {
  const { id, name, state } = trail;
  const { zone } = opened.vault;
  const button = (path: string, text: string, kind: string): Html =>
    html`<form method="post" action="${at}/trails/${path}">${form}<input type="hidden" name="id" value="${id}"><button type="submit" class="${kind}" aria-label="${text}: ${name}">${text}</button></form>`;
  return html`<li>
<h3><a href="${at}/trails/${id}">${named(name)}</a> <span class="aside">${state}</span></h3>
<dl>
${rulesOf(trail)}
<dt>Calls</dt><dd>${usage.calls.toLocaleString('en')} (${usage.found.toLocaleString('en')} notes in the answers, ${usage.refused.toLocaleString('en')} refused)</dd>
<dt>Last used</dt><dd>${momentOr(trail.lastUsedAt, zone, 'never')}</dd>
<dt>Ends</dt><dd>${momentOr(trail.expiresAt, zone, 'never')}</dd>
</dl>
<div class="actions">${trail.disabledAt === null ? button('disable', 'Disable', 'danger') : button('enable', 'Enable', 'quiet')}${button('invite', 'New invite link', 'quiet')}</div>
</li>`;
}

function rulesOf({ rules, reads, writes }: TrailFacts): Html {
  const row = (text: string, values: readonly string[]): Html | null =>
    values.length === 0 ? null : html`<dt>${text}</dt><dd>${named(values.join(', '))}</dd>`;
  return html`${row('Tags', rules.allowTags)}${row('Not tags', rules.denyTags)}${row('Types', rules.allowTypes)}${row('Not types', rules.denyTypes)}${row('In', rules.allowPaths)}${row('Not in', rules.denyPaths)}${row('Writes in', rules.writeFolders)}
<dt>A minute</dt><dd>${reads === 0 ? 'any number of reads' : counted(reads, 'read')}, ${counted(writes, 'write')}</dd>`;
}

/** What is told of a trail that was just made: the one time that its token and its link are shown. */
export function madeTrail(
  { at }: Visit,
  { trail, token }: NewTrail,
  link: string,
  { visible, hidden, remarks, warnings }: PreviewAnswer,
): Html {
  const { id, name, rules, writes } = trail;
  const isHalf = rules.writeFolders.length > 0 !== writes > 0;
  return html`<p>Shared: ${named(name)}. <a href="${at}/trails/${id}">It shows ${counted(visible, 'note')}</a> of ${(visible + hidden).toLocaleString('en')}.</p>
${remarks.map((remark) => html`<p>${remark}</p>`)}
${isHalf && html`<p>It may not write: that takes folders as well as a number of calls.</p>`}
${warnings.length > 0 && html`<p>${counted(warnings.length, 'place')} in them ${warnings.length === 1 ? 'names a note' : 'name notes'} that it does not show.</p>`}
<p>Send this link to whom it is for. Whoever has it sees what the trail shows. It is shown this once:</p><code class="secret">${link}</code>
<p>A token for a client that takes a pasted one. It is shown this once: keep it now.</p><code class="secret">${token}</code>`;
}

/** What one trail shows, and how it was used. */
export function trailPage(
  { at }: Visit,
  trail: TrailFacts,
  preview: PreviewAnswer,
  days: readonly AuditDay[],
): SectionPage {
  const { visible, hidden, notes, remarks, warnings, complete } = preview;
  const shown = notes.slice(0, NOTES);
  return {
    title: trail.name,
    body: html`<p><a href="${at}/trails">All trails</a></p>
<dl><dt>State</dt><dd>${trail.state}</dd>${rulesOf(trail)}</dl>
<section aria-labelledby="shows">
<h2 id="shows">It shows ${counted(visible, 'note')}</h2>
<p class="aside">and not ${counted(hidden, 'other', 'others')}.</p>
${remarks.map((remark) => html`<p>${remark}</p>`)}
<ul>${shown.map(({ path, title }) => html`<li>${named(path)}${title === undefined ? '' : html` <span class="aside">${named(title)}</span>`}</li>`)}</ul>
${visible > shown.length && html`<p>and ${counted(visible - shown.length, 'further note')}</p>`}
</section>
${warnings.length > 0 && warningsPart(warnings, complete)}
<section aria-labelledby="use">
<h2 id="use">Use by day</h2>
${days.length === 0 ? html`<p>It was not used.</p>` : html`<ul>${days.slice(0, DAYS).map(({ day, calls, found, refused }) => html`<li>${day}: ${counted(calls, 'call')}, ${counted(found, 'note')} in the answers, ${refused.toLocaleString('en')} refused</li>`)}</ul>`}
</section>`,
  };
}

function warningsPart(warnings: PreviewAnswer['warnings'], complete: boolean): Html {
  return html`<section aria-labelledby="named">
<h2 id="named">Notes that are named though they are not shown</h2>
<p>What people typed is shown as it is: change these places, or leave them if the names may be known.</p>
<ul>${warnings.map(({ path, line, text, names }) => html`<li>${named(path)}, line ${line}: “${named(text)}” names ${named(names)}</li>`)}</ul>
${!complete && html`<p>There may be more.</p>`}
</section>`;
}
