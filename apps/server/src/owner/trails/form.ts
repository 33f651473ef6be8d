import { visible } from '@grove/service';
import * as z from 'zod';
import { type Html, html } from '../../pages/html.ts';
import { expiryField, field, MOST_LETTERS } from '../desk/fields.ts';
import type { Visit } from '../desk/owner-desk.ts';

const text = z.string().max(MOST_LETTERS).default('');

/** What is sent to make a trail, by the names that it has over REST. */
export const newTrail = z.object({
  name: text,
  allow_tags: text,
  deny_tags: text,
  allow_types: text,
  deny_types: text,
  allow_paths: text,
  deny_paths: text,
  write_folders: text,
  reads: text,
  writes: text,
  expires: text,
});

/** Types of notes that are named as a help. */
const TYPES = 20;

/** The form that makes a trail. */
export function newTrailForm(visit: Visit): Html {
  const types = visit.opened.noteTypes().slice(0, TYPES).map(visible);
  return html`<section aria-labelledby="new">
<h2 id="new">Share a part of the vault</h2>
<p>A note is shown when it fits all that is filled in. Commas stand between several tags, types or folders. Notes that say <code>private</code> are never shown.</p>
<form method="post" action="${visit.at}/trails">${visit.form}
${field(visit, { name: 'name', label: 'Name', placeholder: 'such as Book club', required: true })}
<fieldset><legend>Which notes?</legend>
${field(visit, { name: 'allow_tags', label: 'With one of these tags', placeholder: 'such as books, ideas/garden' })}
${field(visit, { name: 'allow_types', label: 'Of one of these types', ...(types.length === 0 ? {} : { hint: `This vault has: ${types.join(', ')}` }) })}
${field(visit, { name: 'allow_paths', label: 'In these folders', placeholder: 'such as Books', hint: '** alone shares the whole vault' })}
</fieldset>
<fieldset><legend>Which not?</legend>
${field(visit, { name: 'deny_tags', label: 'With one of these tags, never' })}
${field(visit, { name: 'deny_types', label: 'Of one of these types, never' })}
${field(visit, { name: 'deny_paths', label: 'In these folders, never' })}
</fieldset>
<details${sentAny(visit, 'write_folders', 'reads', 'writes') && html` open`}><summary>Writing, and how often</summary>
${field(visit, { name: 'write_folders', label: 'Folders in which it may write', hint: 'Nowhere when empty' })}
${field(visit, { name: 'writes', label: 'Calls a minute that write', kind: 'number', hint: 'None when empty: writing needs both this and folders' })}
${field(visit, { name: 'reads', label: 'Calls a minute that read', kind: 'number', hint: '60 when empty, 0 for any number' })}
</details>
${expiryField(visit)}
<button type="submit">Make the trail</button>
</form>
</section>`;
}

function sentAny({ sent }: Visit, ...names: readonly string[]): boolean {
  return names.some((name) => (sent[name] ?? '') !== '');
}
