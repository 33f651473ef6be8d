/** Patterns whose verdicts are kept; the one used longest ago goes first. */
const MOST_PATTERNS = 8;
/** Verdicts that are kept of a pattern: 20 MB in all where no text is in memory otherwise. */
const MOST_VERDICTS = 12_000;
/** Longer texts are not kept with their verdicts, in UTF-16 units. */
const LONGEST_KEPT = 200;

/**
 * Verdicts of globs and regular expressions on short texts: many notes have the same values and links, and the same
 * filter comes again for every page.
 */
export class PatternVerdicts {
  readonly #kept = new Map<string, Map<string, boolean>>();

  /** `matches`, what it said before kept. Equal keys must mean equal patterns. */
  keeping(key: string, matches: (text: string) => boolean): (text: string) => boolean {
    const known = this.#of(key);
    return (text) => {
      const found = known.get(text);
      if (found !== undefined) return found;
      const verdict = matches(text);
      if (text.length <= LONGEST_KEPT && known.size < MOST_VERDICTS) known.set(text, verdict);
      return verdict;
    };
  }

  #of(key: string): Map<string, boolean> {
    const verdicts = this.#kept.get(key) ?? new Map<string, boolean>();
    this.#kept.delete(key);
    this.#kept.set(key, verdicts);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > MOST_PATTERNS && !oldest.done) this.#kept.delete(oldest.value);
    return verdicts;
  }
}
