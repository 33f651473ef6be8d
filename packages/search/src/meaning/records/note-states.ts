/** How it stands with a note, as it is kept on disk less one. */
export const NOTE = { unknown: 0, waits: 1, done: 2, failed: 3, leftOut: 4 } as const;

export type NoteState = (typeof NOTE)[keyof typeof NOTE];

/** How it stands with every note, in a byte each: every search asks for all notes of its View. */
export class NoteStates {
  #states = new Uint8Array(1024);
  readonly #counts = [0, 0, 0, 0, 0];

  of(note: number): NoteState {
    return (this.#states[note] ?? NOTE.unknown) as NoteState;
  }

  set(note: number, state: NoteState): void {
    if (note >= this.#states.length) {
      const larger = new Uint8Array(Math.max(note + 1, this.#states.length * 2));
      larger.set(this.#states);
      this.#states = larger;
    }
    this.#counts[this.of(note)]! -= 1;
    this.#counts[state]! += 1;
    this.#states[note] = state;
  }

  /** How many notes stand so; of the unknown ones nobody knows. */
  count(state: Exclude<NoteState, 0>): number {
    return this.#counts[state]!;
  }

  /** How many notes are not unknown. */
  get total(): number {
    return (
      this.count(NOTE.waits) + this.count(NOTE.done) + this.count(NOTE.failed) + this.count(NOTE.leftOut)
    );
  }

  /**
   * How many of these notes stand in each way, by {@link NOTE}.
   *
   * @example states.among(view.ids())[NOTE.done]
   */
  among(notes: Uint32Array): readonly number[] {
    const counts = [0, 0, 0, 0, 0];
    const states = this.#states;
    for (let at = 0; at < notes.length; at += 1) counts[states[notes[at]!] ?? NOTE.unknown]! += 1;
    return counts;
  }

  /** Notes of which something is known on disk. */
  known(): number[] {
    const notes: number[] = [];
    for (let note = 0; note < this.#states.length; note += 1) if (this.isRecorded(note)) notes.push(note);
    return notes;
  }

  /** True for a note of which something is known on disk. */
  isRecorded(note: number): boolean {
    const state = this.of(note);
    return state !== NOTE.unknown && state !== NOTE.leftOut;
  }
}
