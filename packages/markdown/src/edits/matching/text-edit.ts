/** One piece of text to find and what is to stand in its place. */
export interface TextEdit {
  readonly find: string;
  readonly replace: string;
  /** Where to look: below the frontmatter, in its YAML, or in the whole file. */
  readonly scope: 'body' | 'frontmatter' | 'note';
  /** True to change every place; else exactly one must fit. */
  readonly all: boolean;
  /** True for a regular expression of Rust's regex crate; `$1`, `$<name>`, `$&`, `$$` in `replace` are filled in. */
  readonly regex: boolean;
  /** False to ignore case. */
  readonly case: boolean;
  /** True to find only whole words, of any script. */
  readonly wholeWord: boolean;
  /** True to let any white space stand for any other. */
  readonly flexibleWhitespace: boolean;
}
