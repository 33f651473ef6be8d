import { foldTitle } from '@grove/core';
import { plainText } from '../inline/plain-text.ts';

/**
 * The looser comparison of Obsidian's links, from which `# ^ [ ] | \ : %%` are left out because a link
 * cannot hold them; other punctuation and emphasis marks are ignored as well.
 *
 * @example loosenHeading('**Plan**: part 1') // 'plan part 1'
 */
export function loosenHeading(text: string): string {
  return foldTitle(plainText(text).replace(PUNCTUATION, ' '));
}

const PUNCTUATION = /[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\]/g;
