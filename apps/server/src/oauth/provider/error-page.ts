import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { html } from '../../pages/html.ts';
import { PAGE_HEADERS, pageText } from '../../pages/page.ts';

/** What a person sees when a client sent them with a request that cannot be answered. */
export function errorPage(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
): void {
  const isOurs = error === 'server_error';
  const body = html`<p>${
    isOurs
      ? 'Something went wrong on this server. Its log says what.'
      : 'The program that sent you here asked for something that cannot be given. Go back to it and connect once more.'
  }</p>
<p>It says: <code>${error}</code>${isOurs ? null : html` ${description ?? ''}`}</p>
<p>Request <code>${String(ctx.res.getHeader('x-request-id') ?? '')}</code></p>`;
  ctx.set(PAGE_HEADERS);
  ctx.body = pageText({ title: 'This could not be connected', body });
}
