import { failedField, failureText } from '../../pages/failure.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import { passphraseForm } from './passphrase-form.ts';

/** What stands in a form for signing in. */
export interface SignInForm {
  /** See `formToken`. */
  readonly form: string;
  /** Why the last attempt failed. */
  readonly failure: string | null;
}

/** Asks for the owner's passphrase. */
export function ownerSignInPage(
  { form, failure }: SignInForm,
  { hasPassphrase, next }: { readonly hasPassphrase: boolean; readonly next: string },
): Page {
  if (!hasPassphrase)
    return {
      title: 'No passphrase yet',
      body: html`<p>This server has no passphrase yet, so that nobody can sign in. It shows a link for setting one when it is started. On its machine <code>grove passphrase set</code> does it too; then load this page again.</p>`,
    };
  return {
    title: 'Sign in',
    body: html`<p>This page is for the owner of the notes on this server.</p>
${passphraseForm({ action: '/owner/sign-in', hidden: { form, next }, failure, isAlone: true, submit: 'Sign in' })}
<p class="aside">Forgotten? On the machine of the server <code>grove passphrase set</code> sets another one.</p>`,
  };
}

/** Asks for the first passphrase, by the link that the first start shows. */
export function setupPage({ form, failure }: SignInForm, token: string): Page {
  return {
    title: 'Choose a passphrase',
    body: html`<p>With it you sign in to this page, and let clients such as Claude in to your notes. Twelve characters at least; several words that you can remember are best.</p>
<form method="post" action="/owner/setup">
<input type="hidden" name="form" value="${form}">
<input type="hidden" name="token" value="${token}">
<label for="passphrase">New passphrase</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required autofocus${failedField(failure)}>
<label for="again">Once more</label>
<input id="again" name="again" type="password" autocomplete="new-password" minlength="12" maxlength="1024" required>
${failureText(failure)}
<button type="submit">Set the passphrase</button>
</form>`,
  };
}

/** The link was used, is too old, or was replaced by that of a later start. */
export function setupOverPage(): Page {
  return {
    title: 'This link is over',
    body: html`<p>It works once, within 24 hours, and until the server is started again.</p>
<p>Where there is a passphrase already, <a href="/owner/sign-in">sign in</a>. Otherwise start the server again, which shows another link, or run <code>grove passphrase set</code> on its machine.</p>`,
  };
}
