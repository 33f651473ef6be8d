import { z } from 'zod';
import { asFlag } from '../parameters/widen.ts';

const flagShape = (absent: boolean): z.ZodType<boolean> =>
  z.preprocess((value) => asFlag(value ?? absent), z.boolean());

/** Text as it stands in a note: kept as it is, and refused rather than mended. */
const exactText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'));

/** One edit, in our own words; {@link editShape} also takes the words of other tools. */
const strictEdit = z.strictObject({
  find: exactText.min(1),
  replace: exactText,
  all: flagShape(false),
  regex: flagShape(false),
  case: flagShape(true),
  whole_word: flagShape(false),
  flexible_whitespace: flagShape(false),
  scope: z.preprocess(
    (word) => (typeof word === 'string' ? word.trim().toLowerCase() : (word ?? 'body')),
    z.enum(['body', 'frontmatter', 'note']),
  ),
});

/** What editing tools of other programs call these two. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  old_text: 'find',
  old_string: 'find',
  oldText: 'find',
  new_text: 'replace',
  new_string: 'replace',
  newText: 'replace',
  replace_all: 'all',
  wholeWord: 'whole_word',
};

export const editShape = z.preprocess(inOurWords, strictEdit);

function inOurWords(edit: unknown): unknown {
  if (typeof edit !== 'object' || edit === null || Array.isArray(edit)) return edit;
  const named: Record<string, unknown> = {};
  for (const [word, value] of Object.entries(edit)) {
    const ours = OTHER_WORDS[word];
    // Both words for one thing: left as they are, so that the second is refused by name.
    const name = ours === undefined || Object.hasOwn(edit, ours) ? word : ours;
    Object.defineProperty(named, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return named;
}
