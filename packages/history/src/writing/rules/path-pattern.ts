import { characterClass } from './character-class.ts';

/** How a pattern is read. Pattern and text are bytes as Latin-1, for git compares bytes. */
export interface PatternOptions {
  /** `core.ignoreCase`: letters of ASCII are equal in both cases. */
  readonly foldCase: boolean;
  /** `*`, `?` and classes match `/` too: for a pattern that is compared with a name alone. */
  readonly acrossFolders: boolean;
}

type Step =
  | { readonly kind: 'one'; readonly accepts: (code: number) => boolean }
  /** Any number of characters, of `/` too where `deep`. */
  | { readonly kind: 'many'; readonly deep: boolean }
  /** The start of any number of whole folders, each with its slash; `inside` is the next step. */
  | { readonly kind: 'folders' }
  | { readonly kind: 'inside' };

const SLASH = 0x2f;

/**
 * Compiles a pattern of .gitignore, .gitattributes or a conditional include (gitignore, "PATTERN FORMAT"):
 * `*`, `?`, `[a-z]`, `[[:alpha:]]`, `**` between slashes, `\` before a character meant as itself. Matching
 * takes at most pattern length times text length steps. A pattern that is not well formed matches nothing.
 *
 * @example pathPattern('notes/**\/*.md', { foldCase: false, acrossFolders: false })('notes/a/b.md') // true
 */
export function pathPattern(pattern: string, options: PatternOptions): (text: string) => boolean {
  const steps = compile(pattern, options);
  if (steps === null) return () => false;
  return (text) => matches(steps, options.foldCase ? lower(text) : text);
}

/** Letters of ASCII in lower case, all else as it is. */
export function lower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function compile(pattern: string, { acrossFolders, foldCase }: PatternOptions): Step[] | null {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at]!;
    if (char === '*') {
      let end = at;
      while (pattern[end] === '*') end++;
      const between =
        (at === 0 || pattern[at - 1] === '/') && /^(?:$|\\?\/)/.test(pattern.slice(end, end + 2));
      const deep = acrossFolders || (end - at >= 2 && between);
      if (deep && !acrossFolders && pattern[end] === '/') {
        steps.push({ kind: 'folders' }, { kind: 'inside' });
        end++;
      } else {
        steps.push({ kind: 'many', deep });
      }
      at = end;
    } else if (char === '?') {
      steps.push({ kind: 'one', accepts: (code) => acrossFolders || code !== SLASH });
      at++;
    } else if (char === '[') {
      const found = characterClass(pattern, at + 1, foldCase);
      if (found === null) return null;
      const { accepts } = found;
      steps.push({ kind: 'one', accepts: (code) => (acrossFolders || code !== SLASH) && accepts(code) });
      at = found.end;
    } else {
      if (char === '\\') at++;
      // A backslash at the end stands for nothing: no match.
      if (at >= pattern.length) return null;
      const wanted = (foldCase ? lower(pattern[at]!) : pattern).charCodeAt(foldCase ? 0 : at);
      steps.push({ kind: 'one', accepts: (code) => code === wanted });
      at++;
    }
  }
  return steps;
}

/** Follows all ways through the steps at once, character by character. */
function matches(steps: readonly Step[], text: string): boolean {
  let reached = new Set<number>();
  enter(steps, reached, 0);
  for (let i = 0; i < text.length && reached.size > 0; i++) {
    const code = text.charCodeAt(i);
    const next = new Set<number>();
    for (const at of reached) advance(steps, at, code, next);
    reached = next;
  }
  return reached.has(steps.length);
}

/** Adds a step, and those behind it as long as a step may stand for nothing. */
function enter(steps: readonly Step[], set: Set<number>, step: number): void {
  for (let at = step; !set.has(at); ) {
    set.add(at);
    const kind = steps[at]?.kind;
    if (kind === 'many') at++;
    else if (kind === 'folders') at += 2;
    else return;
  }
}

function advance(steps: readonly Step[], at: number, code: number, next: Set<number>): void {
  const step = steps[at];
  switch (step?.kind) {
    case 'one':
      if (step.accepts(code)) enter(steps, next, at + 1);
      break;
    case 'many':
      if (step.deep || code !== SLASH) enter(steps, next, at);
      break;
    case 'folders':
      next.add(at + 1);
      if (code === SLASH) enter(steps, next, at);
      break;
    case 'inside':
      next.add(at);
      if (code === SLASH) enter(steps, next, at - 1);
      break;
  }
}
