import type { Signature } from '../../objects/commit.ts';

/** What a commit object says. */
export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

const MAX_OFFSET = 14 * 60;
const MAX_NAME = 1000;

/**
 * The content of a commit object, in UTF-8 (git-commit-tree). The message ends in one line break; NUL, which
 * git refuses, is left out.
 *
 * @example commitText({ tree, parents: [], author, committer: author, message: 'Begin' })
 */
export function commitText(commit: CommitText): Buffer {
  const message = commit.message.replaceAll('\0', '').replaceAll('\r\n', '\n').trimEnd();
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${signatureText(commit.author)}`,
    `committer ${signatureText(commit.committer)}`,
    '',
    message === '' ? '' : `${message}\n`,
  ];
  return Buffer.from(lines.join('\n'));
}

/**
 * Who and when in git's own form (gitformat-signature): what would end the name or the address early is
 * left out, and so is what git trims off their ends. An empty name is replaced by what stands before the `@`
 * of the address, or by `unknown`.
 *
 * @example signatureText({ name: 'Ada', email: 'ada@example.org', time: 0, offset: 60 }) // 'Ada <ada@example.org> 0 +0100'
 */
export function signatureText(who: Signature): string {
  const email = clean(who.email);
  const name = clean(who.name) || clean(email.split('@')[0]!) || 'unknown';
  const seconds = Number.isFinite(who.time) ? Math.max(0, Math.floor(who.time / 1000)) : 0;
  const known = Number.isInteger(who.offset) && Math.abs(who.offset) <= MAX_OFFSET;
  const minutes = known ? Math.abs(who.offset) : 0;
  const zone = `${Math.floor(minutes / 60)}`.padStart(2, '0') + `${minutes % 60}`.padStart(2, '0');
  return `${name} <${email}> ${seconds} ${known && who.offset < 0 ? '-' : '+'}${zone}`;
}

// ident.c: these are trimmed off both ends of a name and an address; "<", ">" and line breaks go everywhere.
const CRUD = '[\\u0000-\\u0020.,:;<>"\\\\\']+';
const ENDS = new RegExp(`^${CRUD}|${CRUD}$`, 'g');

function clean(text: string): string {
  return text
    .slice(0, MAX_NAME)
    .replaceAll(/[\u0000-\u001f\u007f<>]/g, '')
    .replaceAll(ENDS, '');
}
