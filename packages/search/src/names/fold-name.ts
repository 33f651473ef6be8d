/**
 * The form under which two spellings of a name are the same: compatibility form (full-width letters), case,
 * runs of blanks, and a trailing `.md`.
 *
 * @example foldName(' Meeting  Notes.MD') // 'meeting notes'
 */
export function foldName(name: string): string {
  return name
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/\.md$/u, '')
    .trim();
}

/**
 * A looser form: punctuation is a blank, accents are dropped, so that `Real-time`, `real_time` and
 * `real time` meet. `+` and `#` directly after a letter stay: `C`, `C++` and `C#` are three names. Null when
 * nothing is left, as in a name of emoji.
 *
 * @example loosenName('DIT-Content-Rules attribute') // 'dit content rules attribute'
 */
export function loosenName(name: string): string | null {
  const loose = foldName(name)
    .normalize('NFD')
    .replaceAll(/(?<=[\p{L}\p{N}][+#]?)[+#](?![\p{L}\p{N}])/gu, (sign) =>
      sign === '+' ? '\ue000' : '\ue001',
    )
    .replaceAll(/\p{Mn}+/gu, '')
    .replaceAll(/[^\p{L}\p{N}\p{M}\ue000\ue001]+/gu, ' ')
    .replaceAll('\ue000', '+')
    .replaceAll('\ue001', '#')
    .normalize('NFC')
    .trim();
  return loose === '' ? null : loose;
}
