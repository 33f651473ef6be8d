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
    if (code < 0x80) {
      if (WORD[code] === 1) {
        if (!inWord) words += 1;
        inWord = true;
      } else if (code <= 0x20) inWord = false;
    } else if (isUnspaced(code)) {
      words += 1;
      inWord = false;
    } else if (code === 0xa0 || (code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f)) {
      if (code !== 0x2019 && code !== 0x200d) inWord = false;
    } else {
      if (!inWord) words += 1;
      inWord = true;
    }
  }
  return words;
}

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

// ASCII letters and digits.
const WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 1 : 0,
);
