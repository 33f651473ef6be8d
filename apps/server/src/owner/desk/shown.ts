import { visible } from '@grove/service';
import { type Html, html } from '../../pages/html.ts';

/** A name that people or disks gave, as text that changes nothing around it; what no eye sees is shown as its code. */
export function named(text: string): Html {
  return html`<bdi>${visible(text)}</bdi>`;
}

/**
 * A moment as the clock of the vault shows it.
 *
 * @param at milliseconds since the epoch, or ISO 8601
 * @example moment(0, 'UTC').text // '<time datetime="1970-01-01T00:00:00.000Z">1970-01-01 00:00</time>'
 */
export function moment(at: number | string, zone: string): Html {
  const date = new Date(at);
  // Swedish writes dates as ISO 8601 does.
  const shown = date.toLocaleString('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return html`<time datetime="${date.toISOString()}">${shown}</time>`;
}

/** The same where there may be none. */
export function momentOr(at: number | null, zone: string, otherwise: string): Html {
  return at === null ? html`${otherwise}` : moment(at, zone);
}

/** A number with its noun. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** The hunks of a unified diff, one line below the other. */
export function diffText(diff: string): Html {
  return html`<pre class="diff" tabindex="0" aria-label="What changed">${diff.replace(/\n$/, '').split('\n').map(diffLine)}</pre>`;
}

function diffLine(line: string): Html {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same';
  // Each line is a block, so that nothing turns its neighbours; what would turn the line itself is shown as its code.
  const shown = line.replaceAll(/[\p{Bidi_Control}\p{Cc}]/gu, (unit) =>
    unit === '\t' ? unit : `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return html`<span class="${kind}" dir="auto">${shown || ' '}</span>`;
}
