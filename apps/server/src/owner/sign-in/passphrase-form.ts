import { failedField, failureText } from '../../pages/failure.ts';
import { type Html, html } from '../../pages/html.ts';

/** A form that asks for the owner's passphrase. */
export interface PassphraseForm {
  /** Where it is sent. */
  readonly action: string;
  /** What is sent with it, by name; `form` is the token of the form. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Why the last attempt failed. */
  readonly failure: string | null;
  /** True where nothing else is to be filled in. */
  readonly isAlone: boolean;
  /** What the button says. */
  readonly submit: string;
}

/** The form; what is typed in is sent as `passphrase`. */
export function passphraseForm({ action, hidden, failure, isAlone, submit }: PassphraseForm): Html {
  const focus = isAlone || failure !== null;
  return html`<form method="post" action="${action}">
${Object.entries(hidden).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
)}<label for="passphrase">Passphrase of this server</label>
<input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required${focus && html` autofocus`}${failedField(failure)}>
${failureText(failure)}
<button type="submit">${submit}</button>
</form>`;
}
