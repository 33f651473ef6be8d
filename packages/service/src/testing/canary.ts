import { createHash } from 'node:crypto';

/**
 * A word that stands in no language and near no other: whoever is answered with it has met the text that it was put in.
 *
 * @example canary('note 7, third text') // 'kdvqnwzbtrhm'
 */
export function canary(seed: string): string {
  const letters = 'bcdfghjklmnpqrstvwxz';
  const bytes = createHash('sha256').update(seed).digest().subarray(0, 12);
  return [...bytes].map((byte) => letters[byte % letters.length]).join('');
}
