/** Words of the tools, and what is typed in their place. */
const TYPED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:send )?subsections: false\b/g, '--no-subsections'],
  [/\b(?:send )?subsections: true\b/g, '--subsections'],
  [/\bsend create_section(?:: true)?(?!\w)/g, 'give --create-section'],
  [/\bsend (all): true\b/g, 'give --$1'],
  [/\b(all|overwrite|repeat): true\b/g, '--$1'],
  [/\b(send )?scope: "?(body|frontmatter|note)"?(?: in the edit)?/g, '--scope $2'],
  [/\bsource_hash as if_hash\b/g, 'source_hash with --if-hash'],
  [/\bfrom: \{"revision": "…"\}/g, '--revision'],
  [/\bThe actions append and edit need\b/g, 'grove append and grove edit need'],
  [/\b[Tt]he action (append|edit|move)\b/g, 'grove $1'],
  [/\bthe action frontmatter\b/g, 'grove set'],
  [/\bas query, get or list_notes give it\b/g, 'as grove search, get or list give it'],
  [/\bwith query\b/g, 'with grove search'],
  [/\bwith list_notes\b/g, 'with grove list'],
  [
    /\bSend words in "query"; to list notes by filters alone call list_notes\b/g,
    'Type words; to list notes by filters alone run grove list',
  ],
  [/\bwith vault_status\b/g, 'with grove status'],
  [/\bwith get\b/g, 'with grove get'],
  [/\bget the note with format map\b/g, 'run grove get with --format map'],
  [/\bSend the call again\b/g, 'Run the command again'],
  [/\bsend the (?:call again|change once more)\b/g, 'run the command again'],
  [/\bsend the change with its new source_hash\b/g, 'run the command with its new source_hash'],
];

/**
 * A next step in the words of the command line, where it is in those of the tools.
 *
 * @example asTyped('overwrite: true writes it as it is.') // '--overwrite writes it as it is.'
 */
export function asTyped(hint: string): string {
  return TYPED.reduce((text, [words, typed]) => text.replaceAll(words, typed), hint);
}
