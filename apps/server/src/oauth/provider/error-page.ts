import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type Html, html } from '../../pages/html.ts';
import { PAGE_HEADERS, pageText } from '../../pages/page.ts';
import { clientShown } from '../clients/client-shown.ts';

/** What a person sees when a client sent them with a request that cannot be answered, and the client is not told of it. */
export function errorPage(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
): void {
  const isOurs = error === 'server_error';
  const body = html`<p>${
    isOurs
      ? 'Something went wrong on this server. Its log says what.'
      : 'The program that sent you here asked for something that cannot be given. Go back to it and connect once more. If you did not mean to connect a program, close this page.'
  }</p>
${isOurs ? null : clientFacts(ctx)}
<p>It says: <code>${error}</code>${isOurs ? null : html` ${description ?? ''}`}</p>
<p>Request <code>${String(ctx.res.getHeader('x-request-id') ?? '')}</code></p>`;
  // What would have been told by a redirect comes with the status of one.
  if (ctx.status < 400) ctx.status = 400;
  ctx.set(PAGE_HEADERS);
  ctx.body = pageText({ title: 'This could not be connected', body });
}

/** Who asked. The address is no link: nobody here has agreed to be sent there. */
function clientFacts({ oidc, query }: KoaContextWithOIDC): Html | null {
  const { client } = oidc;
  const { redirect_uri: uri } = (oidc.params ?? query) as Readonly<Record<string, unknown>>;
  if (client === undefined || typeof uri !== 'string' || !client.redirectUriAllowed(uri)) return null;
  const { id, name, redirect } = clientShown(client, uri);
  return html`<dl>
<dt>Client</dt><dd>${name}</dd>
<dt>Its id</dt><dd><code>${id}</code></dd>
<dt>Continues at</dt><dd>${redirect}</dd>
</dl>`;
}
