import { GroveError } from '@grove/core';

// What a model writes for text that it leaves out, in the words of several languages. Each is compared with a
// line that holds nothing else, its marks taken off.
const OF_THE = String.raw`(?:\s+(?:of|from|in)(?:\s+(?:the|this|your))?(?:\s+(?:original|existing))?\s+[\p{L}]+)?`;
const STAYS = String.raw`(?:(?:\s*[,:–—-]?\s+|\s*\()(?:(?:is|are|was|were|being|to be|will|should|all|left|kept|exactly)\s+)*(?:unchanged|unmodified|untouched|intact|omitted|truncated|elided|the same|same as before|as is|as before|as it was|as above|(?:remains?|stays?|continues?)(?:\s+\p{L}+){0,2}|follows|goes here|here|below|above|preserved|retained|kept)\)?)`;
const ENGLISH = String.raw`(?:the\s+|all\s+(?:the\s+)?|keep\s+(?:the\s+|all\s+)?|insert\s+(?:the\s+)?)?(?:rest|remainder|remaining\s+\p{L}+|existing\s+\p{L}+|previous\s+\p{L}+|original\s+\p{L}+|other\s+(?:content|sections?|text|notes|entries|items|lines)|everything\s+else|unchanged\s+(?:content|sections?|text|notes|entries|items|lines|code|parts?))`;
const PHRASES = [
  `${ENGLISH}${OF_THE}${STAYS}?`,
  String.raw`(?:content|text|sections?|lines?|no changes?)\s+(?:unchanged|omitted|truncated|continues?|as before|here|below)`,
  '(?:unchanged|unverändert|sans changement|inchangé|sin cambios|inalterado|invariato|ongewijzigd|без изменений)',
  // German
  String.raw`(?:der\s+)?(?:rest|restliche[rs]?\s+\p{L}+|übrige[rs]?\s+\p{L}+|bestehende[rs]?\s+\p{L}+|vorhandene[rs]?\s+\p{L}+|bisherige[rs]?\s+\p{L}+)(?:\s+(?:der|des|dieser)\s+\p{L}+)?(?:\s*[,:–-]?\s+(?:bleibt|bleiben|ist|sind))?(?:\s+(?:unverändert|gleich|wie\s+(?:bisher|zuvor|oben)|hier|folgt))?`,
  // French
  String.raw`(?:le\s+)?(?:reste|contenu\s+existant|texte\s+existant|contenu\s+précédent)(?:\s+(?:de\s+la|du|de)\s+\p{L}+)?(?:\s+(?:est|reste|demeure))?(?:\s+(?:inchangée?|identique|sans\s+changement|ici))?`,
  // Spanish, Portuguese, Italian
  String.raw`(?:el\s+|o\s+|il\s+)?(?:resto|contenido\s+existente|conteúdo\s+existente|contenuto\s+esistente|texto\s+existente|testo\s+esistente)(?:\s+(?:de\s+la|del|da|do|della|dello|de)\s+\p{L}+)?(?:\s+(?:se\s+mantiene|permanece|sigue|continua|rimane|resta))?(?:\s+(?:sin\s+cambios|igual|inalterad[oa]|sem\s+(?:alterações|mudanças)|invariat[oa]|aquí|aqui|qui))?`,
  // Dutch, Polish, Russian
  String.raw`(?:de\s+)?(?:rest|overige\s+\p{L}+|bestaande\s+\p{L}+)(?:\s+van\s+(?:de|het)\s+\p{L}+)?(?:\s+(?:blijft|is))?(?:\s+(?:ongewijzigd|hetzelfde))?`,
  String.raw`(?:reszta|pozostała\s+\p{L}+)(?:\s+\p{L}+)?(?:\s+bez\s+zmian)?`,
  String.raw`(?:остальн\p{L}+(?:\s+\p{L}+)?|существующ\p{L}+\s+\p{L}+)(?:\s+(?:без\s+изменений|не\s+изменил\p{L}+|остаётся|остается))?`,
  // Chinese, Japanese, Korean
  '(?:其余|其他|剩余|后续|以下|现有|原有|其餘|剩餘|後續|現有)(?:的)?(?:内容|部分|文本|笔记|章节|內容|筆記)?(?:保持)?(?:不变|不變|省略|相同|同上|略)?',
  '(?:残り|以下|既存|他|その他)(?:の)?(?:内容|部分|テキスト|ノート)?(?:は|は、)?(?:変更なし|省略|同じ|そのまま|略)?',
  String.raw`(?:나머지|기존|이하)(?:\s*(?:내용|부분|텍스트|노트))?(?:은|는)?\s*(?:그대로|생략|동일|변경\s*없음|유지)?`,
].map((phrase) => new RegExp(`^${phrase}$`, 'iu'));

/** A comment, brackets, or dots around the words. */
const WRAPPERS: readonly RegExp[] = [
  /^<!--(.*)-->$/,
  /^%%(.*)%%$/,
  /^\/\*(.*)\*\/$/,
  /^(?:\/\/|#|--|;)\s*(?=.*(?:\.{3}|…))(.*)$/,
  /^\/\/\s*(.*)$/,
  /^\[(?!\[)(.*)\]$/,
  /^[（(](.*)[）)]$/,
  /^【(.*)】$/,
  /^<(?!\/)([^<>]*)>$/,
  /^\{(.*)\}$/,
  /^([*_]{1,3})(.*)\1$/,
];
const DOTS = /^(?:\.{3,}|…+|⋯+)\s*|\s*(?:\.{3,}|…+|⋯+)$/gu;
const LONGEST = 120;

/**
 * Refuses content in which a line stands for text that was left out, such as `... rest unchanged ...` or
 * `<!-- existing content -->`: `elided_content`. A line that the old text has too is no elision.
 */
export function refuseElision(content: string, old: string): void {
  const known = new Set(old.split(/\r?\n/).map((line) => line.trim()));
  for (const [index, raw] of content.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.length > LONGEST || !isElision(line) || known.has(line)) continue;
    throw new GroveError('elided_content', { line: index + 1, text: line });
  }
}

/**
 * True for a line that says nothing but that text was left out. Words that could be anyone's own
 * (`Remaining tasks`) count only inside a comment, brackets or dots.
 */
export function isElision(line: string): boolean {
  let text = line.replace(/^[-*+]\s+(?=\S)/, '');
  const bulleted = text !== line;
  let marked = false;
  for (let changed = true; changed; ) {
    changed = false;
    const bare = text.replaceAll(DOTS, '').trim();
    if (bare !== text) [text, changed, marked] = [bare, true, true];
    for (const wrapper of WRAPPERS) {
      const match = wrapper.exec(text);
      if (match === null) continue;
      const emphasis = match.length > 2;
      text = (match[match.length - 1] ?? '').trim();
      changed = true;
      if (!emphasis) marked = true;
    }
  }
  const words = text.replace(/[.!。:]+$/u, '');
  if (words === '') return marked && /^(?:\[|\(|<!--|%%|\/\/|\/\*)/.test(line) && /\.{3}|…/.test(line);
  if (!PHRASES.some((phrase) => phrase.test(words))) return false;
  return marked || (!bulleted && CERTAIN.test(words));
}

// Plain words that no one writes as a line of its own for anything else.
const CERTAIN =
  /unchanged|omitted|as before|goes here|^(?:the )?existing content|^(?:the )?rest of (?:the )?(?:note|file|document|content)|unverändert|inchangé|sin cambios|inalterado|invariato|ongewijzigd|без изменений|不变|不變|省略|変更なし|그대로|생략/iu;
