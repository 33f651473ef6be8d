import { asksFor, type BrokenLink, brokenLinks } from '@grove/graph';
import type { NoteText } from '@grove/markdown';
import type { NoteRow } from '@grove/vault';
import { type LinkAnew, linkAnew } from '@grove/writes';
import { clip, noteFacts } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { readIfThere } from '../../notes/read.ts';
import { diagnosis } from './diagnosis.ts';
import { likelyTargets } from './likely-targets.ts';
import { callFor, type MendingOperation, newPath } from './mending-call.ts';

/** Links that no note answers. They are mended by a link to the note that was likely meant, else by making one. */
export const brokenLinkDiagnosis = diagnosis('broken_links', {
  find: ({ view }) => brokenLinks(view),
  paths: ({ from }) => [from.path],
  tell: async (scope, broken) => {
    const { from, target } = broken;
    const { rows, moved } = likelyTargets(scope, broken);
    const [best] = rows;
    const anew = best === undefined ? null : await relinking(scope, broken, best);
    const missing = `links to "${clip(target, 200)}", which is not there`;
    const likely =
      best === undefined ? '' : moved ? `: it is ${best.path} now` : `: likely ${best.path} is meant`;
    return {
      ...noteFacts(scope, from),
      why: clip(missing + likely, 600),
      ...(rows.length === 0 ? {} : { others: rows.map(({ path }) => path) }),
      ...callFor(scope, anew ?? creation(scope, broken)),
    };
  },
});

/** Every link of the note that asks for this leads to another note; null where one cannot be written so. */
async function relinking(
  { view }: Scope,
  broken: BrokenLink,
  to: NoteRow,
): Promise<readonly MendingOperation[] | null> {
  const served = await readIfThere(view, broken.from);
  if (served === null) return null;
  const { note } = served;
  const links = note.links.filter(
    (link) => view.resolveLink(link, broken.from) === null && asksFor(broken, link),
  );
  const edits = new Map<string, Edit>();
  for (const link of links) {
    const anew = linkAnew(view, { from: broken.from, note, link, to });
    if (anew === null) continue;
    const edit = editOf(note, anew, link.start);
    edits.set(`${edit.scope} ${edit.find}`, edit);
  }
  const wanted = withoutCovered([...edits.values()]);
  return wanted.length === 0 ? null : [{ action: 'edit', path: broken.from.path, edits: wanted }];
}

interface Edit {
  readonly find: string;
  readonly replace: string;
  readonly all?: true;
  readonly scope?: 'frontmatter';
}

function editOf(note: NoteText, { before, after }: LinkAnew, at: number): Edit {
  const { yaml } = note.frontmatter;
  const isProperty = yaml !== null && at >= yaml.start && at < yaml.end;
  const text = isProperty ? note.text.slice(yaml.start, yaml.end) : note.text.slice(note.bodyStart);
  return {
    find: before,
    replace: after,
    ...(text.split(before).length > 2 ? { all: true as const } : {}),
    ...(isProperty ? { scope: 'frontmatter' as const } : {}),
  };
}

/** `![[A]]` is mended by what mends `[[A]]`, after which it is not found any more. */
function withoutCovered(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter(
    (edit) =>
      !edits.some((other) => other !== edit && other.scope === edit.scope && edit.find.includes(other.find)),
  );
}

function creation({ view }: Scope, { target }: BrokenLink): readonly MendingOperation[] {
  const found = view.resolve(target);
  const place = found.kind === 'none' ? ((view.isOwner ? found.journal : null) ?? found.page) : null;
  const path = place ?? newPath(`${target}.md`);
  if (path === null || view.get(path) !== null) return [];
  const name = target.slice(target.lastIndexOf('/') + 1);
  const content = view.dialect === 'logseq' ? `- ${name}\n` : `# ${name}\n`;
  return [{ action: 'write', path, content }];
}
