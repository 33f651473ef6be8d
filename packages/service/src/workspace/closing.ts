/** What was opened, to be ended in the reverse order. */
export interface Closing {
  /** Remembers how to end one more part. */
  add(name: string, end: () => Promise<void> | void): void;
  /**
   * Ends every part, the last one first. A part that fails does not keep the others open: the first failure is thrown
   * when all have ended. A second call waits for the first.
   */
  close(): Promise<void>;
}

/** An empty {@link Closing}. */
export function openClosing(): Closing {
  const parts: { readonly name: string; readonly end: () => Promise<void> | void }[] = [];
  let closed: Promise<void> | null = null;
  const endAll = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      try {
        await part.end();
      } catch (cause) {
        failures.push(new Error(`${part.name} did not close`, { cause }));
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return {
    add: (name, end) => parts.push({ name, end }),
    close: () => {
      closed ??= endAll();
      return closed;
    },
  };
}
