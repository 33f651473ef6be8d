import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

/** A page for a person. */
export interface Page {
  /** Of the window, and the heading of the page. */
  readonly title: string;
  readonly body: Html;
  /** What stands before the heading, such as links to other pages. */
  readonly top?: Html;
  /** Loads the page anew, for one that shows what is going on. */
  readonly refresh?: { readonly seconds: number; readonly url: string };
}

/**
 * What a page may do: nothing but show itself, with the server's own stylesheet. There is no `form-action`: browsers hold
 * it against the redirect to a client that ends a sign-in.
 */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

/**
 * Headers of every page. With `no-referrer` browsers would send `Origin: null` with the forms of a page, which could then
 * not be told from those of others (https://fetch.spec.whatwg.org/#append-a-request-origin-header); `same-origin` tells
 * other sites as little.
 */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The whole text of a page. */
export function pageText({ title, body, top, refresh }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${refresh && html`<meta http-equiv="refresh" content="${refresh.seconds}; url=${refresh.url}">`}
<title>${title} · Grove</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/pages.css">
</head>
<body>
${top}
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;
}

/** Answers with a page. */
export function sendPage(reply: FastifyReply, page: Page, status = 200): FastifyReply {
  return reply.code(status).headers(PAGE_HEADERS).send(pageText(page));
}
