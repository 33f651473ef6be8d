import type { AuditEntry } from '@grove/access';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** One answered request, by what bounds the number of series: never an address, a query or a name of a note. */
interface AnsweredRequest {
  readonly method: string;
  /** The route's pattern; null when no route took the request. */
  readonly route: string | null;
  readonly status: number;
  readonly seconds: number;
}

/** One call that has ended, by what bounds the number of series. */
interface EndedCall {
  /** An operation, a method of the protocol, or the method and the pattern of a route. */
  readonly tool: string;
  readonly via: AuditEntry['via'];
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly ms: number;
}

/** What is counted while it is open. */
type OpenThing = 'sessions' | 'streams';

/** Seconds: a cached answer takes less than a millisecond, a request that waits for an index ten seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** How often the delay of the event loop is looked at: each look wakes the process, which is to sleep when idle. */
const LOOP_LOOK_MS = 50;

/** What one server counts of itself, in the text format that Prometheus reads. Every app has its own. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly #calls: Counter<'tool' | 'via' | 'outcome'>;
  readonly #callSeconds: Histogram<'tool' | 'via'>;
  #collectsProcess = false;

  constructor({ version }: { readonly version: string }) {
    const registers = [this.#registry];
    this.#requests = new Histogram({
      name: 'grove_http_request_duration_seconds',
      help: 'Requests answered, by route, method and status, and how long they took.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers,
    });
    this.#calls = new Counter({
      name: 'grove_calls_total',
      help: 'Calls, by tool or resource, way and outcome: ok, or the code of the error.',
      labelNames: ['tool', 'via', 'outcome'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'grove_call_duration_seconds',
      help: 'How long these calls took, by tool or resource and way.',
      labelNames: ['tool', 'via'],
      buckets: BUCKETS,
      registers,
    });
    const build = new Gauge({
      name: 'grove_build_info',
      help: 'The version of Grove.',
      labelNames: ['version'],
      registers,
    });
    build.set({ version }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  answered({ method, route, status, seconds }: AnsweredRequest): void {
    this.#requests.observe({ method, route: route ?? 'none', status }, seconds);
  }

  called({ tool, via, outcome, ms }: EndedCall): void {
    this.#calls.inc({ tool, via, outcome });
    this.#callSeconds.observe({ tool, via }, ms / 1000);
  }

  /** Has the number of open MCP sessions or event streams told by `count`, which is asked at each reading. */
  watchOpen(thing: OpenThing, count: () => number): void {
    new Gauge({
      name: `grove_mcp_${thing}_open`,
      help: thing === 'sessions' ? 'MCP sessions that are open.' : 'Event streams that are open.',
      registers: [this.#registry],
      collect() {
        this.set(count());
      },
    });
  }

  /** All of it as text, with the process itself: processor, memory, handles, garbage collection, event-loop lag. */
  async text(): Promise<string> {
    // They watch the event loop from then on: nobody pays for it who never asks.
    if (!this.#collectsProcess)
      collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
    this.#collectsProcess = true;
    return await this.#registry.metrics();
  }
}
