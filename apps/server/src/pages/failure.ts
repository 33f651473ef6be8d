import { type Html, html } from './html.ts';

/** What a field has in its tag when what was sent in it was refused, so that the words of it are read out with the field. */
export function failedField(failure: string | null): Html | null {
  return failure === null ? null : html` aria-invalid="true" aria-describedby="failure"`;
}

/** Why the form was refused. A page has one such text, below the field. */
export function failureText(failure: string | null): Html | null {
  return failure === null ? null : html`<p id="failure" class="failure" role="alert">${failure}</p>`;
}
