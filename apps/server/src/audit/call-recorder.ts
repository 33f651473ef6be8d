import type { Audit, AuditEntry } from '@grove/access';
import { countFor, type Scope } from '@grove/service';
import type { Log } from '../log.ts';
import { OperationCounter } from '../plugins/limits/operation-counter.ts';

/** Calls of which is yet to be counted what was withheld; beyond them it is not counted. */
const MOST_COUNTING = 200;
/** Of a key, a grant or a trail in a minute: calls that came too often. Whoever sends them without end must fill no disk. */
const MOST_REFUSALS = 60;

/** Where calls are written down. */
export type AuditBook = Pick<Audit, 'record' | 'flush'>;

/** A call that has just ended. Its question and answer are only counted, never kept. */
export interface EndedCall
  extends Pick<AuditEntry, 'client' | 'vault' | 'tool' | 'via' | 'ms' | 'outcome' | 'requestId'> {
  /** Whose it was. */
  readonly scope: Scope;
  /** What found notes, where that was something. */
  readonly search: FindingCall | null;
}

/** Hears of a call what says nothing of what it asked. */
export type CallListener = (call: Pick<EndedCall, 'tool' | 'via' | 'outcome' | 'ms'>) => void;

/** What is looked at to count notes: an operation by its name, its input as it came, and its structured answer. */
export interface FindingCall {
  readonly operation: string;
  readonly input: unknown;
  /** Null where there was none. */
  readonly output: unknown;
}

/** Writes down the calls of all transports, off their way: what it counts anew, it counts when the answer has gone. */
export class CallRecorder {
  readonly #audit: AuditBook;
  readonly #log: Log;
  #counting: Promise<void> = Promise.resolve();
  #waiting = 0;
  #isClosing = false;
  #refusals: OperationCounter | null = null;
  readonly #listeners = new Set<CallListener>();

  constructor(audit: AuditBook, log: Log) {
    this.#audit = audit;
    this.#log = log;
  }

  /** Calls `listener` at each call that has ended, until what is returned is called. */
  onCall(listener: CallListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notes a call; fails no call. Of those that came too often only the first of each minute. */
  record(call: EndedCall): void {
    for (const listener of this.#listeners) listener(call);
    const { scope, ms, search: asked, ...ended } = call;
    if (ended.outcome === 'rate_limited' && !this.#takesRefusal(scope)) return;
    // What was refused for coming too often must not have the vault searched all the same.
    const search = ended.outcome === 'rate_limited' ? null : asked;
    const { kind, id, name, trail = null } = scope.principal;
    const entry = {
      at: Math.round(scope.clock.now() - ms),
      principal: { kind, id, name },
      trail,
      ms: Math.round(ms * 100) / 100,
      ...ended,
    };
    const { found, later } =
      search === null ? NOTHING : countFor(scope, search.operation, search.input, search.output);
    const write = (withheld: number | null): void =>
      this.#audit.record({ ...entry, found, withheld, address: null });
    if (!scope.isTrail || search === null || this.#waiting >= MOST_COUNTING) {
      write(null);
      return;
    }
    this.#waiting += 1;
    this.#counting = this.#counting.then(async () => {
      write(this.#isClosing ? null : await this.#counted(later));
      this.#waiting -= 1;
    });
  }

  /** Writes down what is left, uncounted. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#counting;
    this.#audit.flush();
  }

  #takesRefusal({ clock, principal }: Scope): boolean {
    this.#refusals ??= new OperationCounter(MOST_REFUSALS, clock);
    return this.#refusals.take(principal.trail ?? principal.id, 1) === null;
  }

  async #counted(later: () => Promise<number | null>): Promise<number | null> {
    // The answer goes first, and other calls between two counts.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      return await later();
    } catch (error) {
      this.#log.error({ err: error }, 'what a trail withheld could not be counted');
      return null;
    }
  }
}

const NOTHING = { found: null, later: async () => null } as const;
