import type { Signature } from '@grove/history';
import type { WriteAuthor } from '../contract.ts';

// RFC 2606: nobody's domain, so that no forge takes these for one of its users.
const DOMAIN = 'grove.invalid';

/** Who changes notes where nobody asked for this very change. */
export const GROVE_ITSELF: WriteAuthor = { kind: 'owner', id: 'grove', name: 'Grove', client: null };

/** The author line of a principal's commit. */
export function authorSignature(author: WriteAuthor, time: number): Signature {
  return { name: author.name, email: `${author.kind}.${author.id}@${DOMAIN}`, ...at(time) };
}

/** The author of what somebody changed outside of Grove. */
export function outsideSignature(time: number): Signature {
  return { name: 'outside edit', email: `outside@${DOMAIN}`, ...at(time) };
}

/** The committer of all of Grove's commits. */
export function groveSignature(time: number): Signature {
  return { name: 'Grove', email: `grove@${DOMAIN}`, ...at(time) };
}

/** Whole seconds, as git keeps them, and the machine's own zone. */
function at(time: number): Pick<Signature, 'time' | 'offset'> {
  const whole = Math.floor(time / 1000) * 1000;
  return { time: whole, offset: 0 - new Date(whole).getTimezoneOffset() };
}
