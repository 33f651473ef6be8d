import type { KeyFacts } from '@grove/access';
import { type Html, html } from '../../pages/html.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { moment, momentOr, named } from '../desk/shown.ts';

/** What a new key may do. */
export const ACCESS = [
  { scopes: 'read', text: 'Only read' },
  { scopes: 'read,append', text: 'Read, add to notes and make new ones' },
  { scopes: 'read,append,write', text: 'Read and write' },
] as const;

/** When a new key ends. */
export const EXPIRIES = [
  { span: 'never', text: 'Never' },
  { span: '30d', text: 'In 30 days' },
  { span: '90d', text: 'In 90 days' },
  { span: '365d', text: 'In a year' },
] as const;

/** Ended keys that are listed. */
const ENDED = 20;

/** The keys of a vault, and a form for another one. */
export function keysPage(visit: Visit, keys: readonly KeyFacts[]): SectionPage {
  const live = keys.filter(({ state }) => state === 'live');
  const ended = keys.filter(({ state }) => state !== 'live').slice(0, ENDED);
  const { zone } = visit.opened.vault;
  return {
    title: 'Keys',
    body: html`<p>A key opens this vault to a client that takes a pasted token. Keys for some folders alone, and those that are admins, are made by <code>grove keys create</code>.</p>
${live.length === 0 && html`<p>No key is live.</p>`}
<ul class="items">${live.map((key) => keyItem(visit, key))}</ul>
<section aria-labelledby="new">
<h2 id="new">Make a key</h2>
<form method="post" action="${visit.at}/keys">${visit.form}
<div class="field"><label for="name">Name</label>
<input id="name" name="name" type="text" required maxlength="64" autocomplete="off" placeholder="such as Laptop"></div>
<fieldset><legend>What may it do?</legend>
${ACCESS.map(({ scopes, text }, index) => html`<label><input type="radio" name="access" value="${scopes}"${index === 0 && html` checked`}> ${text}</label>`)}
</fieldset>
<div class="field"><label for="expires">When does it end?</label>
<select id="expires" name="expires">${EXPIRIES.map(({ span, text }) => html`<option value="${span}">${text}</option>`)}</select></div>
<button type="submit">Make the key</button>
</form>
</section>
${ended.length > 0 && html`<details><summary>Ended keys</summary><ul>${ended.map(({ name, ending, state, revokedAt, expiresAt }) => html`<li>${named(name)} …${ending}, ${state} ${momentOr(revokedAt ?? expiresAt, zone, '')}</li>`)}</ul></details>`}`,
  };
}

function keyItem({ at, form, opened }: Visit, key: KeyFacts): Html {
  const { id, name, scopes, ending, createdAt, lastUsedAt, expiresAt } = key;
  const { zone } = opened.vault;
  const button = (path: string, text: string, kind: string): Html =>
    html`<form method="post" action="${at}/keys/${path}">${form}<input type="hidden" name="id" value="${id}"><button type="submit" class="${kind}" aria-label="${text} the key ${name}">${text}</button></form>`;
  return html`<li>
<h3>${named(name)}</h3>
<dl>
<dt>May</dt><dd>${scopes.join(', ')}</dd>
${pathsOf(key)}
<dt>Token</dt><dd>…${ending}</dd>
<dt>Made</dt><dd>${moment(createdAt, zone)}</dd>
<dt>Last used</dt><dd>${momentOr(lastUsedAt, zone, 'never')}</dd>
<dt>Ends</dt><dd>${momentOr(expiresAt, zone, 'never')}</dd>
</dl>
<div class="actions">${button('rotate', 'Rotate', 'quiet')}${button('revoke', 'Revoke', 'danger')}</div>
</li>`;
}

function pathsOf({ readPaths, writePaths, denyPaths }: KeyFacts): Html {
  const row = (text: string, paths: readonly string[]): Html | null =>
    paths.length === 0 ? null : html`<dt>${text}</dt><dd>${named(paths.join(', '))}</dd>`;
  return html`${row('Reads only', readPaths)}${row('Writes only', writePaths)}${row('Not in', denyPaths)}`;
}
