import { isGroveError } from '@grove/core';

/** How often what other processes and the clock ended is looked for. */
const POLL_MS = 250;

/** Tells listeners of each credential that was good here and no longer is, once. */
export class EndedCredentials {
  readonly #isLive: (credential: string) => boolean;
  readonly #verified = new Set<string>();
  readonly #listeners = new Set<(credential: string) => void>();
  #timer: NodeJS.Timeout | null = null;

  /** @param isLive may throw the errors of control.db */
  constructor(isLive: (credential: string) => boolean) {
    this.#isLive = isLive;
  }

  /** Notes a credential that was good. */
  verified(credential: string): void {
    this.#verified.add(credential);
  }

  /** Adds a listener, and looks for ended credentials as long as there is one. */
  listen(listener: (credential: string) => void): () => void {
    // A function of its own, so that one listener may be added twice.
    const own = (credential: string): void => listener(credential);
    this.#listeners.add(own);
    this.#timer ??= setInterval(() => this.look(), POLL_MS).unref();
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  close(): void {
    this.#stop();
    this.#listeners.clear();
    this.#verified.clear();
  }

  /** Ends now what is no longer good. */
  look(): void {
    for (const credential of [...this.#verified]) {
      try {
        if (!this.#isLive(credential)) this.#end(credential);
      } catch (error) {
        if (!isGroveError(error)) throw error;
        // Who holds the lock has ended nothing yet. When the file cannot be read at all, nobody knows who may stay.
        if (error.code === 'control_locked') return;
        this.#end(credential);
      }
    }
  }

  #end(credential: string): void {
    if (!this.#verified.delete(credential)) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(credential);
      } catch (error) {
        // The others must hear of it all the same, and the fault of this one must not pass unseen.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
