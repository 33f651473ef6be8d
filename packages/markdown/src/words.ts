/**
 * Counts words between two offsets: runs of characters without white space that hold a letter or digit,
 * and each character of the scripts that are written without spaces (CJK, Kana, Thai and their neighbours).
 *
 * @example countWords('Hello, 世界', 0, 9) // 3
 */
export function countWords(text: string, start: number, end: number): number {
  let words = 0;
  let inWord = false;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 0x80 ? ASCII[code] : kindOf(code);
    if (kind === LETTER) {
      if (!inWord) words += 1;
      inWord = true;
    } else if (kind === SPACE) inWord = false;
    else if (kind === ALONE) {
      words += 1;
      inWord = false;
    }
  }
  return words;
}

const SPACE = 0;
const LETTER = 1;
/** Neither starts nor ends a word: `-` in `real-time`. */
const MARK = 2;
/** A word by itself. */
const ALONE = 3;

function kindOf(code: number): number {
  if (code === 0xa0) return SPACE;
  if (code < 0x0e00) return LETTER;
  // The second half of a surrogate pair belongs to the first.
  if (code === 0x2019 || code === 0x200d || (code >= 0xdc00 && code <= 0xdfff)) return MARK;
  if ((code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f)) return SPACE;
  return isUnspaced(code) ? ALONE : LETTER;
}

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  if (/[A-Za-z0-9]/.test(String.fromCharCode(code))) return LETTER;
  return code <= 0x20 ? SPACE : MARK;
});

/** True for a UTF-16 unit of a script that puts no spaces between words. */
export function isUnspaced(code: number): boolean {
  if (code < 0x0e00) return false;
  return (
    code <= 0x0eff || // Thai, Lao
    (code >= 0x1000 && code <= 0x109f) || // Myanmar
    (code >= 0x1780 && code <= 0x17ff) || // Khmer
    (code >= 0x3041 && code <= 0x30ff) || // Kana
    (code >= 0x3400 && code <= 0x9fff) || // Han
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xd840 && code <= 0xd87f) // lead surrogates of the supplementary Han planes
  );
}
