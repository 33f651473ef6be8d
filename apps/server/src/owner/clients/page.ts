import type { GrantFacts } from '@grove/access';
import { type Html, html } from '../../pages/html.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { moment, momentOr, named } from '../desk/shown.ts';

/**
 * The clients that were let in.
 *
 * @param trails names by id
 */
export function clientsPage(
  visit: Visit,
  grants: readonly GrantFacts[],
  trails: ReadonlyMap<string, string>,
): SectionPage {
  const live = grants.filter(({ state }) => state === 'live');
  return {
    title: 'Clients',
    body: html`<p>Clients such as Claude or ChatGPT that were let in by signing in.</p>
${live.length === 0 && html`<p>None is connected.</p>`}
<ul class="items">${live.map((grant) => grantItem(visit, grant, trails))}</ul>`,
  };
}

function grantItem(
  { at, form, opened }: Visit,
  grant: GrantFacts,
  trails: ReadonlyMap<string, string>,
): Html {
  const { id, clientName, redirectHost, scopes, trail, createdAt, lastUsedAt } = grant;
  const { zone } = opened.vault;
  return html`<li>
<h3>${named(clientName)}</h3>
<dl>
<dt>Came from</dt><dd>${named(redirectHost)}</dd>
<dt>May</dt><dd>${scopes.join(', ')}</dd>
<dt>Sees</dt><dd>${trail === null ? 'all notes' : html`the trail ${named(trails.get(trail) ?? trail)}`}</dd>
<dt>Let in</dt><dd>${moment(createdAt, zone)}</dd>
<dt>Last used</dt><dd>${momentOr(lastUsedAt, zone, 'never')}</dd>
</dl>
<form method="post" action="${at}/clients/revoke">${form}<input type="hidden" name="id" value="${id}"><button type="submit" class="danger" aria-label="Disconnect ${clientName}">Disconnect</button></form>
</li>`;
}
