import { type Html, html } from '../../pages/html.ts';
import type { Page } from '../../pages/page.ts';
import type { Notice } from './notices.ts';
import { named } from './shown.ts';

/** The pages of a vault, by the last part of their address. */
export const SECTIONS = {
  activity: 'Activity',
  keys: 'Keys',
  trails: 'Trails',
  clients: 'Clients',
  calls: 'Calls',
  state: 'State',
} as const;

/** A page of a vault. */
export type Section = keyof typeof SECTIONS;

/** What stands on one page of the owner's. */
export interface SectionPage {
  readonly title: string;
  readonly body: Html;
  /** Seconds until the page is loaded anew, while something goes on. */
  readonly refreshAfter?: number;
}

interface Around {
  readonly section: Section;
  /** The slug of the vault. */
  readonly vault: string;
  /** All that are served. */
  readonly vaults: readonly string[];
  /** Address of a page. */
  readonly pathOf: (vault: string, section: Section) => string;
  /** The hidden field of every form. */
  readonly form: Html;
  readonly notice: Notice | null;
}

/** Puts the links to the other pages, and what came of the last form, around a page. */
export function layout({ title, body, refreshAfter }: SectionPage, around: Around): Page {
  const { section, vault, vaults, pathOf, form, notice } = around;
  const links = Object.entries(SECTIONS) as [Section, string][];
  return {
    title,
    top: html`<header class="top">
${vaults.length > 1 && html`<nav class="vaults" aria-label="Vaults"><ul>${vaults.map((slug) => html`<li><a href="${pathOf(slug, section)}"${slug === vault && html` aria-current="true"`}>${named(slug)}</a></li>`)}</ul></nav>`}
<nav aria-label="Pages"><ul>${links.map(([name, text]) => html`<li><a href="${pathOf(vault, name)}"${name === section && html` aria-current="page"`}>${text}</a></li>`)}</ul></nav>
</header>`,
    body: html`${notice && html`<div class="${notice.kind === 'done' ? 'notice' : 'failure'}" role="${notice.kind === 'done' ? 'status' : 'alert'}">${notice.body}</div>`}
${body}
<form class="sign-out" method="post" action="/owner/sign-out">${form}<button class="quiet" type="submit">Sign out</button></form>`,
    ...(refreshAfter === undefined
      ? {}
      : { refresh: { seconds: refreshAfter, url: `${pathOf(vault, section)}?refresh=1` } }),
  };
}
