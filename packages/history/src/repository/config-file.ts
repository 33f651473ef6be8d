/**
 * Reads the text of a git config file: last value per key, keys as `section.key` or
 * `section.subsection.key`, section and key in lower case (git-config, "Syntax"). Includes are not followed:
 * the keys that Grove reads are ones git itself takes from the repository's own file only. A line that does
 * not parse is passed over.
 *
 * @example parseGitConfig('[core]\n\tbare = false').get('core.bare') // 'false'
 */
export function parseGitConfig(text: string): Map<string, string> {
  return new Map(configEntries(text));
}

/** As {@link parseGitConfig}, every key and value in the order they stand: a key may come again. */
export function configEntries(text: string): [key: string, value: string][] {
  const entries: [string, string][] = [];
  let section = '';
  for (let line of joinContinued(text.split(/\r?\n/))) {
    const header = /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/.exec(line);
    if (header) {
      const subsection = header[2]?.replaceAll(/\\(.)/g, '$1');
      section = header[1]!.toLowerCase() + (subsection === undefined ? '' : `.${subsection}`);
      line = line.slice(header[0].length);
    }
    const pair = /^\s*([a-z][\w-]*)\s*(?:=(.*))?$/i.exec(line);
    if (!pair) continue;
    entries.push([`${section}.${pair[1]!.toLowerCase()}`, pair[2] === undefined ? 'true' : value(pair[2])]);
  }
  return entries;
}

/** A boolean as git reads it: `true`, `yes`, `on`, or a number that is not 0. */
export function isTrue(text: string | undefined): boolean {
  return (
    text !== undefined && (/^(?:true|yes|on)$/i.test(text) || (/^\d+$/.test(text) && Number(text) !== 0))
  );
}

// A backslash before the line break goes on with the same value, but not in a comment.
function joinContinued(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let open = false;
  for (const line of lines) {
    const whole: string = open ? joined.pop()! + line : line;
    open = !/^\s*[#;]/.test(whole) && /(?<!\\)(?:\\\\)*\\$/.test(whole);
    joined.push(open ? whole.slice(0, -1) : whole);
  }
  return joined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

function value(raw: string): string {
  let text = '';
  let quoted = false;
  // Blanks count only once something follows them.
  let blanks = '';
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i]!;
    if (char === '"') {
      quoted = !quoted;
      text += blanks;
      blanks = '';
    } else if (!quoted && (char === '#' || char === ';')) {
      break;
    } else if (!quoted && /\s/.test(char)) {
      if (text !== '') blanks += char;
    } else {
      const escaped = char === '\\' && i + 1 < raw.length ? raw[++i]! : null;
      text += blanks + (escaped === null ? char : (ESCAPES[escaped] ?? escaped));
      blanks = '';
    }
  }
  return text;
}
