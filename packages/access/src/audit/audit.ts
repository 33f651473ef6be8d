/** One call, as it is written down. It holds no text of notes, no query and no token. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly principal: { readonly kind: string; readonly id: string; readonly name: string };
  /** Id of the trail that limited the call. */
  readonly trail: string | null;
  /** Name of the OAuth client. */
  readonly client: string | null;
  /** The slug of the vault; empty where no vault was chosen, as at a sign-in that failed. */
  readonly vault: string;
  /** The operation, such as `query`, or `sign_in`. */
  readonly tool: string;
  readonly via: 'mcp' | 'rest' | 'cli' | 'oauth' | 'owner';
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Notes in the answer; null where that says nothing. */
  readonly found: number | null;
  /** Notes that the owner would have found besides; null where nobody counted. */
  readonly withheld: number | null;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  /** Where it came from, for a sign-in and the like only. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** An entry that is on disk; later ones have higher numbers. */
export interface AuditRow extends AuditEntry {
  readonly sequence: number;
}

/** Which entries are meant; what is left out does not matter. */
export interface AuditFilter {
  /** Slugs; an empty one stands for entries of no vault. */
  readonly vaults?: readonly string[] | undefined;
  /** Id of a trail. */
  readonly trail?: string | undefined;
  /** Id of a key or of a grant. */
  readonly principal?: string | undefined;
  readonly tool?: string | undefined;
  /** `ok`, the code of an error, or `refused` for all but `ok`. */
  readonly outcome?: string | undefined;
  /** From then on. */
  readonly since?: number | undefined;
  /** Until then, that moment not included. */
  readonly until?: number | undefined;
}

/** Which entries, and how many of them. */
export interface AuditPage extends AuditFilter {
  /** Only those with a lower number. */
  readonly before?: number | undefined;
  /** Default: 100; at most 1,000. */
  readonly limit?: number | undefined;
}

/** What a number of entries come to. */
export interface AuditSum {
  readonly calls: number;
  /** Notes in the answers, each time counted. */
  readonly found: number;
  /** Calls that ended with an error. */
  readonly refused: number;
  readonly lastAt: number | null;
}

/** The same of one day, in UTC. */
export interface AuditDay extends AuditSum {
  /** Such as `2026-11-30`. */
  readonly day: string;
}

/** Who called what, and how it ended. */
export interface Audit {
  /**
   * Writes down a call: within a second, without waiting for anything. Never fails; what the disk does not take is
   * kept for the next time, up to 10,000 entries, and what is lost beyond is written down as a number.
   */
  record(entry: AuditEntry): void;
  /** Entries, newest first, those too that were recorded here just now. Throws the errors of control.db. */
  list(page?: AuditPage): readonly AuditRow[];
  /** What the entries come to, and by day, newest first. Throws the errors of control.db. */
  sum(filter?: AuditFilter): { readonly total: AuditSum; readonly days: readonly AuditDay[] };
  /** Takes away what is older, a few at a time, so that nothing waits for long; the number that went. */
  prune(olderThanMs: number): number;
  /** Writes what was recorded now. Never fails. */
  flush(): void;
}
