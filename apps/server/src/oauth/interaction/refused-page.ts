import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import type { Authorization } from './authorization.ts';

/**
 * Ends an authorization that was refused where nothing speaks for the client's address: whoever does not agree is not sent
 * there all the same (RFC 9700 section 4.11.2), and may choose to go.
 */
export function refusedPage({ uid, client }: Authorization, form: string): Page {
  return {
    title: 'Not connected',
    body: html`<p><strong>${client.name}</strong> was not let in, and sees no notes. You can close this page.</p>
<form method="post" action="/oauth/interaction/${uid}/refuse">
<input type="hidden" name="form" value="${form}">
<input type="hidden" name="back" value="yes">
<p>Go back only if you came from <strong>${client.redirect}</strong>, and trust it.</p>
<button type="submit" class="quiet">Go back to ${client.redirect}</button>
</form>`,
  };
}
