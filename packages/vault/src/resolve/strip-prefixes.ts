import { decodePercent } from '@grove/markdown';

/** Most wrappings that are taken off one reference. */
const MAX_LAYERS = 6;

/**
 * The spellings of a reference with its known wrappings taken off, from the outermost in: `[[ ]]`, `./`,
 * `/`, the vault's name, `vault://note/`, `obsidian://open?file=`, percent escapes. The reference itself is
 * not among them.
 */
export function strippedForms(reference: string, vaultNames: readonly string[]): string[] {
  const forms: string[] = [];
  let current = reference;
  for (let layer = 1; layer <= MAX_LAYERS; layer += 1) {
    const next = unwrapped(current, vaultNames)?.trim();
    if (next === undefined || next === current) break;
    forms.push(next);
    current = next;
  }
  const decoded = decodePercent(current);
  if (decoded !== current) forms.push(decoded);
  return forms.filter((form) => form !== '');
}

function unwrapped(reference: string, vaultNames: readonly string[]): string | null {
  const brackets = /^!?\[\[(.*)\]\]$/s.exec(reference);
  if (brackets !== null) return brackets[1]!.split('|', 1)[0]!.replace(/\\$/, '');
  const note = /^vault:\/\/note\/(.*)$/is.exec(reference);
  if (note !== null) return decodePercent(note[1]!);
  if (/^obsidian:\/\//i.test(reference)) return obsidianFile(reference);
  if (reference.startsWith('./')) return reference.slice(2);
  if (reference.startsWith('/')) return reference.replace(/^\/+/, '');
  const folded = reference.toLowerCase();
  const name = vaultNames.find((candidate) => folded.startsWith(`${candidate.toLowerCase()}/`));
  return name === undefined ? null : reference.slice(name.length + 1);
}

/** https://help.obsidian.md/Extending+Obsidian/Obsidian+URI: `open?vault=…&file=…` and `vault/<name>/<path>`. */
function obsidianFile(uri: string): string | null {
  const short = /^obsidian:\/\/vault\/[^/]+\/(.*)$/is.exec(uri);
  if (short !== null) return decodePercent(short[1]!);
  const question = uri.indexOf('?');
  // Obsidian writes spaces as %20 and leaves a plus alone, unlike a form.
  const query = question < 0 ? '' : uri.slice(question + 1).replaceAll('+', '%2B');
  return new URLSearchParams(query).get('file');
}
