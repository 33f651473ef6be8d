import type { TrailFacts } from '@grove/access';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import type { Authorization, Person } from './authorization.ts';

/** What may be agreed to. */
export interface ConsentOffer {
  readonly form: string;
  /** The vaults that are served, by their slugs. */
  readonly vaults: readonly string[];
  /** The live trails of those vaults, for the owner. */
  readonly trails: readonly TrailFacts[];
}

/** Asks what the client may do. */
export function consentPage(authorization: Authorization, person: Person, offer: ConsentOffer): Page {
  const { uid, client, asked } = authorization;
  const mayWrite = asked.write && (person.kind === 'owner' || canWrite(person.trail));
  return {
    title: `Connect ${client.name}?`,
    body: html`<dl>
<dt>Client</dt><dd>${client.name}</dd>
<dt>Continues at</dt><dd>${client.redirect}</dd>
<dt>Signed in as</dt><dd>${person.kind === 'owner' ? 'the owner' : html`guest of “${person.trail.name}”`}</dd>
</dl>
<p>Whoever made this page open can have named the client. Allow it only if you just asked for it yourself.</p>
<form method="post" action="/oauth/interaction/${uid}/consent">
<input type="hidden" name="form" value="${offer.form}">
${person.kind === 'owner' ? targets(offer) : html`<input type="hidden" name="notes" value="trail:${person.trail.id}"><p>It sees the notes of “${person.trail.name}”.</p>`}
${mayWrite ? ACCESS : html`<input type="hidden" name="access" value="read"><p>It may read, and change nothing.</p>`}
<div class="actions">
<button type="submit">Allow</button>
<button type="submit" class="quiet" formaction="/oauth/interaction/${uid}/refuse" formnovalidate>Do not connect</button>
</div>
</form>
${person.kind === 'owner' ? html`<p class="aside"><a href="/oauth/interaction/${uid}?guest">Use an invite instead</a></p>` : null}`,
  };
}

/** True for a trail that may be written to at all. */
export function canWrite({ writes, rules }: TrailFacts): boolean {
  return writes > 0 && rules.writeFolders.length > 0;
}

const ACCESS = html`<fieldset>
<legend>What may it do?</legend>
<label><input type="radio" name="access" value="write" checked> Read and write</label>
<label><input type="radio" name="access" value="read"> Only read</label>
</fieldset>`;

function targets({ vaults, trails }: ConsentOffer): Html {
  const several = vaults.length > 1;
  const whole = vaults.map(
    (
      slug,
      index,
    ) => html`<label><input type="radio" name="notes" value="vault:${slug}"${index === 0 && !several ? html` checked` : html` required`}> All notes of ${slug}</label>
`,
  );
  const parts = trails.map(
    ({
      id,
      name,
      vault,
    }) => html`<label><input type="radio" name="notes" value="trail:${id}"> Only the trail “${name}”${several ? ` of ${vault}` : null}</label>
`,
  );
  return html`<fieldset>
<legend>Which notes may it see?</legend>
${whole}${parts}</fieldset>`;
}
