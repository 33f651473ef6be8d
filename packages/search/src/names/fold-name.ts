/**
 * The form under which two spellings of a name are the same: compatibility form (full-width letters), case,
 * runs of blanks, and a trailing `.md`.
 *
 * @example foldName(' Meeting  Notes.MD') // 'meeting notes'
 */
export function foldName(name: string): string {
  const folded = isAscii(name)
    ? name.toLowerCase()
    : name.toWellFormed().normalize('NFKC').toLowerCase().normalize('NFKC');
  return folded.replaceAll(/\s+/gu, ' ').trim().replace(/\.md$/u, '').trim();
}

/**
 * A looser form: punctuation is a blank, accents are dropped, so that `Real-time`, `real_time` and
 * `real time` meet. `+` and `#` directly after a letter stay: `C`, `C++` and `C#` are three names. Null when
 * nothing is left, as in a name of emoji.
 *
 * @example loosenName('DIT-Content-Rules attribute') // 'dit content rules attribute'
 */
export function loosenName(name: string): string | null {
  if (isPlain(name)) return loosenPlain(name);
  const folded = foldName(name);
  const ascii = isAscii(folded);
  const bare = ascii
    ? folded
    : folded
        .normalize('NFD')
        .replaceAll(/\p{Mn}+/gu, '')
        .normalize('NFC');
  const others = ascii ? /[^a-z0-9]+/g : /[^\p{L}\p{N}\p{M}]+/gu;
  const loose = /[+#]/.test(bare) ? loosenAroundSigns(bare) : bare.replaceAll(others, ' ').trim();
  return loose === '' ? null : loose;
}

/** What {@link loosenName} makes of most names, at a third of the cost: a start folds the names of all notes. */
function loosenPlain(name: string): string | null {
  const lower = name.toLowerCase().trim();
  const bare = lower.endsWith('.md') ? lower.slice(0, -3) : lower;
  const loose = bare.replaceAll(/[^a-z0-9]+/g, ' ').trim();
  return loose === '' ? null : loose;
}

/** True for printable ASCII without `+` and `#`. */
function isPlain(name: string): boolean {
  return /^[ -"$-*,-~]*$/.test(name);
}

/** `+` and `#` (at most two) are letters after a letter or digit and before none. */
function loosenAroundSigns(name: string): string {
  const words = name.match(/[\p{L}\p{N}\p{M}]+(?:[+#]{1,2}(?![\p{L}\p{N}+#]))?/gu);
  return words?.join(' ') ?? '';
}

// Most names are, and normalizing is most of the cost.
function isAscii(name: string): boolean {
  return /^[\x20-\x7e]*$/.test(name);
}
