import { Document, isMap, isScalar, isSeq, type Pair, type Scalar } from 'yaml';
import type { FieldHabit, Habits, TypeHabit } from './habits.ts';

const OPENING = ` Rules of this vault for everyone who writes to it through Grove, as its notes are kept today.
 Change what is not meant so; take out what should stay free. What notes break already is left alone.`;

const EXAMPLE = `# types:
#   book:                      # notes with "type: book"
#     folder: Books            # lie here, and nothing else does (folder_only: false for that)
#     template: Templates/Book
#     required:
#       author: link
#       status: [to-read, reading, done]
#     optional:
#       rating: number         # text, number, boolean, date, datetime, list, link, tags
`;

/**
 * The text of a `.grove/vault.yaml` that says what the notes do already, with a count beside each rule.
 *
 * @example proposeVaultFile(readHabits(view))
 */
export function proposeVaultFile(habits: Habits): string {
  const { notes, types, seldom, untyped, tagsIncludeType, journal } = habits;
  const document = new Document({
    ...(journal === null || journal.known
      ? {}
      : {
          journal: { ...(journal.folder === '' ? {} : { folder: journal.folder }), format: journal.format },
        }),
    ...(types.length === 0
      ? {}
      : {
          tags_include_type: tagsIncludeType,
          types: Object.fromEntries(types.map((type) => [type.name, typeOf(type)])),
        }),
  });
  const say = (path: readonly string[], comment: string): void => noteBeside(document, path, comment);
  say(['journal'], `${journal?.notes ?? 0} notes of days`);
  say(['tags_include_type'], 'whether the tags of a note must include its type');
  for (const type of types) {
    const at = ['types', type.name];
    say(at, `${type.notes} notes`);
    say([...at, 'folder'], count(type.folder?.notes ?? 0, type.notes));
    for (const field of type.fields) say([...at, 'required', field.name], count(field.notes, type.notes));
  }
  const empty = isMap(document.contents) && document.contents.items.length === 0;
  const rules = empty ? '' : document.toString({ lineWidth: 0, flowCollectionPadding: false });
  const rest = [
    ...(types.length === 0
      ? [`# None of the ${notes} notes has a type that is in use three times.`, EXAMPLE]
      : []),
    ...(untyped === null
      ? []
      : [
          `# ${untyped.notes} notes without a type say by "${untyped.property}" what they are. Rules go by "type" alone, so there is none for them.`,
        ]),
    ...(seldom.length === 0 ? [] : [`# Types in use less than three times: ${listed(seldom)}`]),
  ];
  return `${OPENING.replaceAll(/^/gm, '#')}\n${rules}${rest.map((line) => `${line.trimEnd()}\n`).join('')}`;
}

function typeOf({ folder, template, fields }: TypeHabit): Record<string, unknown> {
  return {
    ...(folder === null ? {} : { folder: folder.path, ...(folder.only ? {} : { folder_only: false }) }),
    ...(template === null ? {} : { template }),
    ...(fields.length === 0
      ? {}
      : { required: Object.fromEntries(fields.map((field) => [field.name, fieldOf(field)])) }),
  };
}

function fieldOf({ kind, values }: FieldHabit): unknown {
  return kind === 'enum' ? values : kind;
}

function count(some: number, all: number): string {
  return some === all ? `all ${all}` : `${some} of ${all}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 30).map((name) => name.replaceAll(/\s+/g, ' ').slice(0, 40));
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '');
}

/** A comment at the end of the line of a scalar or a list in brackets; above the line of a mapping. */
function noteBeside(document: Document, path: readonly string[], comment: string): void {
  const value: unknown = document.getIn(path, true);
  if (isScalar(value)) value.comment = ` ${comment}`;
  else if (isSeq(value)) {
    value.flow = true;
    value.comment = ` ${comment}`;
  } else if (isMap(value)) {
    const above: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const pairs = isMap(above) ? (above.items as Pair<Scalar>[]) : [];
    const key = pairs.find((pair) => isScalar(pair.key) && pair.key.value === path.at(-1))?.key;
    if (key !== undefined) key.commentBefore = ` ${comment}`;
  }
}
