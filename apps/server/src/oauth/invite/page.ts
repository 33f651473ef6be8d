import type { TrailFacts } from '@grove/access';
import { mcpUrl } from '../../clients/connection.ts';
import { CLIENTS, type Client } from '../../clients/index.ts';
import { SIGN_IN_CLIENTS, type SignInClient } from '../../clients/sign-in-clients.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import { canWrite } from '../interaction/consent-page.ts';

/** What the page of an invite shows. */
export interface InviteShown {
  readonly trail: TrailFacts;
  /** The address of this page. */
  readonly path: string;
  readonly form: string;
  /** Where the server is reached, without a trailing slash. */
  readonly url: string;
  /** True for an address that the makers of clients reach from their own machines. */
  readonly isPublic: boolean;
  /** A token that was just made. */
  readonly token: string | null;
}

/** What a client shall call the server. */
const NAME = 'grove';

/** One page for somebody who was invited: the address, and what to do with it in each client. */
export function invitePage(shown: InviteShown): Page {
  const { trail, url, isPublic, token } = shown;
  return {
    title: `Notes for you: ${trail.name}`,
    body: html`<p>Somebody shares a part of their notes with you. You ${canWrite(trail) ? 'read them, and may add to some,' : 'read them'} in the assistant that you use already. Nothing is installed.</p>
${token === null ? null : newToken(shown, token)}
<h2>The address</h2>
<code class="secret">${mcpUrl({ url })}</code>
<h2>Connect by signing in</h2>
<p>Add the address to your client. A page of this server opens: choose <strong>Continue as guest</strong>, which it offers in this browser, or paste the address of this page there.</p>
${isPublic ? null : html`<p class="notice">This address is not public: Claude on the web and ChatGPT, which call from elsewhere, do not reach it.</p>`}
${SIGN_IN_CLIENTS.map((client) => signInSteps(client, url))}
<h2>Clients that take a token instead</h2>
<form method="post" action="${shown.path}">
<input type="hidden" name="form" value="${shown.form}">
<p>Make one for each client, so that it can be ended alone.</p>
<button type="submit">Make a token</button>
</form>`,
  };
}

/** What is shown for an invite that lets nobody in. */
export function inviteOverPage(): Page {
  return {
    title: 'This invite is over',
    body: html`<p>It was replaced or ended, or was never one. Ask whoever sent it for another.</p>`,
  };
}

function signInSteps({ title, steps, paste, links }: SignInClient, url: string): Html {
  const installs = links?.({ name: NAME, url }) ?? [];
  const text = paste?.(mcpUrl({ url }), NAME);
  return html`<details>
<summary>${title}</summary>
${installs.map((link) => html`<p><a href="${link.url}">${link.title}</a></p>`)}
${text === undefined ? null : html`<pre class="secret">${text}</pre>`}
<ol>
${steps(mcpUrl({ url })).map(
  (step) => html`<li>${step}</li>
`,
)}</ol>
</details>
`;
}

function newToken({ url }: InviteShown, token: string): Html {
  const connection = { name: NAME, url, key: token, stdio: { command: '', args: [], env: {} } };
  const texts = CLIENTS.filter(({ by }) => by === 'key').map((client) =>
    tokenText(client, client.text([connection])),
  );
  return html`<section class="notice" aria-labelledby="token" role="status">
<h2 id="token">Your token</h2>
<p>It is shown this once. Whoever has it reads what you read.</p>
<code class="secret">${token}</code>
${texts}
</section>`;
}

function tokenText({ title, where, aside }: Client, text: string): Html {
  return html`<details>
<summary>${title}</summary>
<p>${where}${aside === undefined ? null : html`. ${aside}`}</p>
<pre class="secret">${text}</pre>
</details>
`;
}
