import { type Html, html } from '../../pages/html.ts';
import type { Visit } from './owner-desk.ts';

/** A field in which something is typed. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Stands below it. */
  readonly hint?: string;
  readonly placeholder?: string;
  readonly kind?: 'text' | 'number';
  readonly required?: boolean;
}

/** When what is made ends. */
export const EXPIRIES = [
  { span: 'never', text: 'Never' },
  { span: '7d', text: 'In a week' },
  { span: '30d', text: 'In 30 days' },
  { span: '90d', text: 'In 90 days' },
  { span: '365d', text: 'In a year' },
] as const;

/** A field with its label; what was typed into it before is in it again where it was refused. */
export function field({ sent }: Visit, { name, label, hint, placeholder, kind, required }: Field): Html {
  const number = html` type="number" inputmode="numeric" min="0" max="1000000" step="1"`;
  const text = html` type="text" maxlength="${MOST_LETTERS}" autocapitalize="none" spellcheck="false"`;
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}"${kind === 'number' ? number : text} autocomplete="off" value="${sent[name] ?? ''}"${placeholder !== undefined && html` placeholder="${placeholder}"`}${hint !== undefined && html` aria-describedby="${name}-hint"`}${required === true && html` required`}>
${hint !== undefined && html`<p class="aside" id="${name}-hint">${hint}</p>`}</div>`;
}

/** The field that asks when what is made ends. */
export function expiryField({ sent }: Visit): Html {
  const chosen = sent.expires ?? EXPIRIES[0].span;
  return html`<div class="field"><label for="expires">When does it end?</label>
<select id="expires" name="expires">${EXPIRIES.map(({ span, text }) => html`<option value="${span}"${span === chosen && html` selected`}>${text}</option>`)}</select></div>`;
}

/** The longest text of a field. */
export const MOST_LETTERS = 2_000;

/**
 * What was filled in: an empty field says nothing, as a part of a body that is left out.
 *
 * @example filledIn({ name: 'Tablet', deny_paths: ' ' }) // { name: 'Tablet' }
 */
export function filledIn(sent: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(sent).filter(([, text]) => text.trim() !== ''));
}
