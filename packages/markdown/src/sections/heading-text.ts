import { plainText } from '../inline/plain-text.ts';

/**
 * A heading's text as it is compared: NFC, case and white space folded.
 *
 * @example foldHeading(' My  Plan ') // 'my plan'
 */
export function foldHeading(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/gu, ' ').trim();
}

/**
 * The looser comparison of Obsidian's links, from which `# ^ [ ] | \ : %%` are left out because a link
 * cannot hold them; other punctuation and emphasis marks are ignored as well.
 *
 * @example loosenHeading('**Plan**: part 1') // 'plan part 1'
 */
export function loosenHeading(text: string): string {
  return foldHeading(plainText(text).replace(PUNCTUATION, ' '));
}

const PUNCTUATION = /[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\]/g;
