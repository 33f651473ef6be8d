import type { HistoryAnswer, RevertAnswer, WaitingAnswer } from '@grove/service';
import { type Html, html } from '../../pages/html.ts';
import type { SectionPage } from '../desk/layout.ts';
import type { Visit } from '../desk/owner-desk.ts';
import { counted, diffText, moment, named } from '../desk/shown.ts';

type Commit = HistoryAnswer['commits'][number];
type Change = Commit['notes'][number];

/** What is shown of the past, and what waits. */
export interface Activity {
  readonly waiting: readonly WaitingAnswer[];
  readonly history: HistoryAnswer | null;
  /** Why there is no history to show. */
  readonly problem: string | null;
  /** True for the newest commits. */
  readonly isFirst: boolean;
}

const CHANGES: Readonly<Record<Change['change'], string>> = {
  added: 'new',
  modified: 'changed',
  deleted: 'deleted',
  renamed: 'renamed',
};

/** Deletions that wait, and what was done last, each with a way back. */
export function activityPage(visit: Visit, { waiting, history, problem, isFirst }: Activity): SectionPage {
  const commits = history?.commits ?? [];
  return {
    title: 'Activity',
    body: html`${isFirst && waitingPart(visit, waiting)}
<section aria-labelledby="recent">
<h2 id="recent">${isFirst ? 'Recent changes' : 'Earlier changes'}</h2>
${problem && html`<p>${problem}</p>`}
${history?.remarks.map((remark) => html`<p class="aside">${remark}</p>`)}
<ul class="items">${withUndo(commits, isFirst).map(({ commit, undoable }) => commitItem(visit, commit, undoable))}</ul>
${history?.cursor && html`<p><a href="?cursor=${encodeURIComponent(history.cursor)}">Earlier changes</a></p>`}
</section>`,
  };
}

function waitingPart({ at, form, opened }: Visit, waiting: readonly WaitingAnswer[]): Html | null {
  if (waiting.length === 0) return null;
  const items = waiting.map(
    ({ id, name, client, principal, notes, asked }) => html`<li>
<p><strong>${named(name)}</strong>${client === undefined ? '' : html` with ${named(client)}`} wants to delete ${counted(notes.length, 'note')}, asked ${moment(asked, opened.vault.zone)}.</p>
<p class="aside">${named(principal)}</p>
<ul>${notes.map((path) => html`<li>${named(path)}</li>`)}</ul>
<form method="post" action="${at}/deletions" class="actions">${form}
<input type="hidden" name="id" value="${id}">
<button type="submit" name="answer" value="yes" class="danger">Allow the deletion</button>
<button type="submit" name="answer" value="no" class="quiet">Refuse</button>
</form>
</li>`,
  );
  return html`<section aria-labelledby="waiting">
<h2 id="waiting">Waiting for your word</h2>
<ul class="items">${items}</ul>
</section>`;
}

/** The last change of each note can be undone; on further pages nobody knows which one that is. */
function withUndo(
  commits: readonly Commit[],
  isFirst: boolean,
): readonly { readonly commit: Commit; readonly undoable: ReadonlySet<Change> }[] {
  const seen = new Set<string>();
  return commits.map((commit) => {
    const undoable = commit.notes.filter(({ path, from }) => {
      const isLast = isFirst && !seen.has(path);
      for (const name of [path, ...(from === undefined ? [] : [from])]) seen.add(name);
      return isLast;
    });
    return { commit, undoable: new Set(undoable) };
  });
}

function commitItem(visit: Visit, commit: Commit, undoable: ReadonlySet<Change>): Html {
  const { author, client, key, mechanical, notes, notes_total: total, reason, subject, time } = commit;
  const more = total === undefined ? 0 : total - notes.length;
  return html`<li>
<h3>${named(subject)}</h3>
<p class="aside">${moment(time, visit.opened.vault.zone)} · ${named(author)}${client === undefined ? '' : html` with ${named(client)}`}${key === undefined ? '' : html` · ${named(key)}`}${mechanical === true && ' · taken up by Grove'}</p>
${reason !== undefined && html`<p>“${named(reason)}”</p>`}
${notes.map((change) => changePart(visit, commit, change, undoable.has(change)))}
${more > 0 && html`<p>and ${counted(more, 'further note')}</p>`}
${key !== undefined && key !== 'owner:owner' && html`<p><a href="${visit.at}/activity/revert?${new URLSearchParams({ key, since: time }).toString()}">Undo all that ${named(author)} wrote since then…</a></p>`}
</li>`;
}

function changePart({ at, form }: Visit, { commit }: Commit, change: Change, isUndoable: boolean): Html {
  const { path, from, diff } = change;
  return html`<details>
<summary>${named(path)} <span class="aside">${CHANGES[change.change]}${from === undefined ? '' : html`, was ${named(from)}`}</span></summary>
${diff === undefined ? html`<p class="aside">No text to compare.</p>` : diffText(diff)}
${
  isUndoable &&
  html`<form method="post" action="${at}/undo">${form}
<input type="hidden" name="commit" value="${commit}">
<input type="hidden" name="path" value="${path}">
<button type="submit" class="quiet" aria-label="Undo the change of ${path}">Undo</button>
</form>`
}
</details>`;
}

/** What undoing all that one principal wrote would do, before it is done. */
export function revertPage({ at, form, opened }: Visit, planned: RevertAnswer): SectionPage {
  const { key, since, commits, undone, undone_total: all, left, remarks } = planned;
  return {
    title: 'Undo what was written',
    body: html`<p>All that ${named(key)} wrote since ${moment(since, opened.vault.zone)}: ${counted(commits, 'change')}, ${counted(all, 'note')}. What others wrote stays.</p>
${remarks.map((remark) => html`<p class="aside">${remark}</p>`)}
<ul class="items">${undone.map(({ path, change, diff }) => html`<li><h3>${named(path)}</h3><p class="aside">${change}</p>${diff === undefined ? '' : diffText(diff)}</li>`)}</ul>
${all > undone.length && html`<p>and ${counted(all - undone.length, 'further note')}</p>`}
${left.length > 0 && html`<h2>What stays</h2><ul>${left.map(({ path, reason }) => html`<li>${named(path)}: ${reason}</li>`)}</ul>`}
${
  all > 0 &&
  html`<form method="post" action="${at}/revert">${form}
<input type="hidden" name="key" value="${key}">
<input type="hidden" name="since" value="${since}">
<button type="submit" class="danger">Undo ${counted(all, 'note')}</button>
</form>`
}
<p><a href="${at}/activity">Back</a></p>`,
  };
}
