import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { CATALOGUE, contentHash } from '@grove/core';

/** A page, or a file that one needs, ready to be sent. */
export interface DocsFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** What the pages may do: nothing but load from, and talk to, the server that they came from. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Every file that the pages load, by the last segment of its address. */
const ASSETS: Readonly<Record<string, { readonly type: string; readonly read: () => Buffer }>> = {
  'docs.js': { type: SCRIPT, read: () => readFileSync(new URL('pages/docs.js', import.meta.url)) },
  'pages.css': { type: CSS, read: () => readFileSync(new URL('pages/pages.css', import.meta.url)) },
  'swagger-ui-bundle.js': { type: SCRIPT, read: () => readSwaggerUi('swagger-ui-bundle.js') },
  'swagger-ui.css': { type: CSS, read: () => readSwaggerUi('swagger-ui.css') },
};

/** Names of the files that {@link readAsset} knows. */
export const ASSET_NAMES = Object.keys(ASSETS).sort();

/** A file that the pages load; null for any other name. */
export function readAsset(name: string): DocsFile | null {
  const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
  return asset === undefined ? null : docsFile(asset.type, asset.read());
}

/** A link to another program that a page offers. */
interface OfferedLink {
  readonly title: string;
  readonly url: string;
}

/**
 * The page at the root of the server: what it is, and where to go on.
 *
 * @param installs links that install the server in a client, which then signs in; no key is in them
 */
export function startPage(version: string, installs: readonly OfferedLink[]): DocsFile {
  const links = installs.map(({ title, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`);
  return page(
    'Grove',
    '<link rel="stylesheet" href="docs/pages.css">',
    `<main class="start">
<h1>Grove ${escapeHtml(version)}</h1>
<p>This server makes notes usable for AI clients and scripts. It has no pages to read them on; whoever asks needs a key: <code>grove keys create NAME</code>.</p>
<ul>
<li><code>/mcp</code>: the address for AI clients</li>
<li><a href="owner">/owner</a>: what clients did, keys and what is shared, for the owner of the notes</li>
<li><a href="docs">/docs</a>: the REST interface under <code>/v1</code>, to read and to try</li>
<li><a href="docs/errors">/docs/errors</a>: every error and its next step</li>
<li><a href="openapi.json">/openapi.json</a>: the same interface for programs</li>
</ul>
<p>For who lets a client in by signing in: ${links.join(' · ')}</p>
<p>How to begin stands in Grove's <code>README.md</code>, how to connect a client in <code>docs/connecting.md</code>.</p>
</main>`,
  );
}

/** The page that shows the description of the HTTP interface. */
export function docsPage(): DocsFile {
  return page(
    'Grove: HTTP interface',
    `<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/pages.css">`,
    `<noscript>This page needs JavaScript. The description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/docs.js"></script>`,
  );
}

/** The page of all errors, with an anchor for each: where the `type` of problem details leads. */
export function errorsPage(): DocsFile {
  const sections = Object.entries(CATALOGUE)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([code, { status, message, hint }]) => `<section id="${escapeHtml(code)}">
<h2><code>${escapeHtml(code)}</code> · ${status}</h2>
<p>${escapeHtml(message)}<br>${escapeHtml(hint)}</p>
</section>`,
    );
  return page(
    'Grove: errors',
    '<link rel="stylesheet" href="pages.css">',
    `<main class="errors">
<h1>Errors</h1>
<p>Every refusal carries a stable <code>code</code>, what happened and one next step. <code>{name}</code> stands for a fact of the occurrence.</p>
${sections.join('\n')}
</main>`,
  );
}

function page(title: string, head: string, body: string): DocsFile {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
  return docsFile(HTML, Buffer.from(html));
}

function docsFile(type: string, bytes: Buffer): DocsFile {
  return { type, bytes, etag: `"${contentHash(bytes)}"` };
}

function readSwaggerUi(name: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
