import type { TrailFacts } from '@grove/access';
import { passphraseForm } from '../../owner/sign-in/passphrase-form.ts';
import { failedField, failureText } from '../../pages/failure.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import type { Authorization } from './authorization.ts';

/** What the page for signing in shows besides its forms. */
export interface SignInState {
  readonly form: string;
  /** False before the owner has set a passphrase. */
  readonly hasPassphrase: boolean;
  /** Where else the owner may sign in. */
  readonly elsewhere: readonly { readonly title: string; readonly url: string }[];
  /** The trail of an invite that this browser has opened. */
  readonly invite: TrailFacts | null;
  /** Why the last attempt failed. */
  readonly failure: { readonly at: 'passphrase' | 'trail'; readonly message: string } | null;
}

/** Asks who is there: the owner, or who holds a trail's token or invite. */
export function clientSignInPage({ uid, client }: Authorization, state: SignInState): Page {
  const at = `/oauth/interaction/${uid}`;
  const failure = state.failure?.at === 'trail' ? state.failure.message : null;
  return {
    title: `Connect ${client.name}`,
    body: html`<p><strong>${client.name}</strong> asks to use notes on this server. It continues at <strong>${client.redirect}</strong>. Sign in to decide.</p>
<section aria-labelledby="owner">
<h2 id="owner">These are your notes</h2>
${state.hasPassphrase ? ownerForm(at, state) : NO_PASSPHRASE}
${state.elsewhere.map(
  ({ title, url }) => html`<p><a href="${url}">Sign in with ${title}</a></p>
`,
)}</section>
<section aria-labelledby="guest">
<h2 id="guest">You were given a part of them</h2>
${state.invite === null ? null : inviteForm(at, state, state.invite)}
<form method="post" action="${at}/trail">
${hidden(state)}
<label for="secret">Invite link or token</label>
<input id="secret" name="secret" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required${failure !== null && html` autofocus`}${failedField(failure)}>
${failureText(failure)}
<button type="submit"${state.invite === null ? null : html` class="quiet"`}>Continue with it</button>
</form>
</section>
<form method="post" action="${at}/refuse">
${hidden(state)}
<button type="submit" class="quiet">Do not connect</button>
</form>`,
  };
}

const NO_PASSPHRASE = html`<p>This server has no passphrase yet. On its machine, <code>grove passphrase set</code> sets one; then load this page again.</p>`;

function ownerForm(at: string, { form, failure }: SignInState): Html {
  return passphraseForm({
    action: `${at}/owner`,
    hidden: { form },
    failure: failure?.at === 'passphrase' ? failure.message : null,
    isAlone: false,
    submit: 'Sign in',
  });
}

function inviteForm(at: string, state: SignInState, { name }: TrailFacts): Html {
  return html`<form method="post" action="${at}/invite">
${hidden(state)}
<button type="submit">Continue as guest of “${name}”</button>
</form>`;
}

function hidden({ form }: SignInState): Html {
  return html`<input type="hidden" name="form" value="${form}">`;
}
