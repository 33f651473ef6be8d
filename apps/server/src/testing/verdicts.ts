/** How one way of asking compares with the oracle. */
export interface WayVerdict {
  readonly way: string;
  /** Facts that were compared. */
  readonly decided: number;
  /** What was told and should not have been, or twice. */
  readonly leaked: readonly string[];
  /** What should have been told and was not. */
  readonly missed: readonly string[];
}

/** What was told too much and too little, by the ways of asking. */
export class Verdicts {
  readonly #ways = new Map<string, { decided: number; leaked: string[]; missed: string[] }>();

  /** Compares what was told with what should be; the order is not looked at. */
  lists(way: string, told: readonly string[], wanted: readonly string[]): void {
    const mayCome = new Set(wanted);
    const came = new Set(told);
    const found = this.#of(way);
    found.decided += new Set([...told, ...wanted]).size;
    // What comes twice is too much the second time.
    for (const item of told) if (!mayCome.delete(item)) found.leaked.push(item);
    found.missed.push(...wanted.filter((item) => !came.has(item)));
  }

  /** Compares a number of notes. */
  counts(way: string, told: number, wanted: number): void {
    const found = this.#of(way);
    found.decided += 1;
    if (told === wanted) return;
    (told > wanted ? found.leaked : found.missed).push(`${told} instead of ${wanted}`);
  }

  /** All ways, in the order in which they were asked first. */
  byWay(): WayVerdict[] {
    return Array.from(this.#ways, ([way, found]) => ({ way, ...found }));
  }

  /** The ways that told too much or too little. */
  wrong(): WayVerdict[] {
    return this.byWay().filter(({ leaked, missed }) => leaked.length + missed.length > 0);
  }

  #of(way: string): { decided: number; leaked: string[]; missed: string[] } {
    const found = this.#ways.get(way) ?? { decided: 0, leaked: [], missed: [] };
    this.#ways.set(way, found);
    return found;
  }
}
