import type { KeyFacts } from '@grove/access';
import { type Html, html } from '../../pages/html.ts';
import { expiryField, type Field, field } from '../desk/fields.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { moment, momentOr, named } from '../desk/shown.ts';

/** What a new key may do. */
export const ACCESS = [
  { scopes: 'read', text: 'Only read' },
  { scopes: 'read,append', text: 'Read, add to notes and make new ones' },
  { scopes: 'read,append,write', text: 'Read and write' },
] as const;

/** In which folders it may. */
const PATHS: readonly Field[] = [
  { name: 'read_paths', label: 'Reads only', placeholder: 'such as Garden, Work/Plans' },
  { name: 'write_paths', label: 'Writes only' },
  { name: 'deny_paths', label: 'Not in' },
];

/** Ended keys that are listed. */
const ENDED = 20;

/** The keys of a vault, and a form for another one. */
export function keysPage(visit: Visit, keys: readonly KeyFacts[]): SectionPage {
  const live = keys.filter(({ state }) => state === 'live');
  const ended = keys.filter(({ state }) => state !== 'live').slice(0, ENDED);
  const { zone } = visit.opened.vault;
  const chosen = visit.sent.scopes ?? ACCESS[0].scopes;
  return {
    title: 'Keys',
    body: html`<p>A key opens this vault to a client that takes a pasted token. One that is an admin is made by <code>grove keys create</code>.</p>
${live.length === 0 && html`<p>No key is live.</p>`}
<ul class="items">${live.map((key) => keyItem(visit, key))}</ul>
<section aria-labelledby="new">
<h2 id="new">Make a key</h2>
<form method="post" action="${visit.at}/keys">${visit.form}
${field(visit, { name: 'name', label: 'Name', placeholder: 'such as Laptop', required: true })}
<fieldset><legend>What may it do?</legend>
${ACCESS.map(({ scopes, text }) => html`<label><input type="radio" name="scopes" value="${scopes}"${scopes === chosen && html` checked`}> ${text}</label>`)}
</fieldset>
<details${PATHS.some(({ name }) => (visit.sent[name] ?? '') !== '') && html` open`}><summary>Only some folders</summary>
${PATHS.map((path) => field(visit, path))}
<p class="aside">Folders of the vault or globs, with commas between them.</p>
</details>
${expiryField(visit)}
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
