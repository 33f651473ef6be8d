import { monitorEventLoopDelay } from 'node:perf_hooks';
import { percentile } from './figures.ts';

/** A stretch of time in which nothing else had its turn; milliseconds on the clock of `performance.now()`. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface LoopFigures {
  /** Delay by Node's own histogram, which counts its timer's millisecond in. */
  readonly histogram: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How much later than asked for timers of one millisecond came. */
  readonly drift: { readonly p50: number; readonly p99: number; readonly max: number };
  /**
   * The wait of something that becomes ready at a random moment, which is what a request meets: a stretch of
   * 100 ms hits a hundred times as often as one of 1 ms.
   */
  readonly wait: { readonly p50: number; readonly p99: number };
  readonly stretches: readonly Stretch[];
}

/** Watches the event loop of this process from now until `stop` is called. */
export function watchEventLoop(): { stop(): LoopFigures } {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  const stretches: Stretch[] = [];
  let last = performance.now();
  let timer: NodeJS.Timeout;
  const tick = () => {
    const now = performance.now();
    stretches.push({ from: last, to: now });
    last = now;
    timer = setTimeout(tick, 1);
  };
  timer = setTimeout(tick, 1);
  return {
    stop() {
      clearTimeout(timer);
      histogram.disable();
      const drift = stretches.map(({ from, to }) => Math.max(0, to - from - 1));
      const ms = (share: number) => histogram.percentile(share) / 1e6;
      return {
        histogram: { p50: ms(50), p99: ms(99), max: histogram.max / 1e6 },
        drift: { p50: percentile(drift, 0.5), p99: percentile(drift, 0.99), max: Math.max(...drift) },
        wait: { p50: waitPercentile(drift, 0.5), p99: waitPercentile(drift, 0.99) },
        stretches,
      };
    },
  };
}

/** The wait below which the given share of moments lies: within a stretch all waits up to its length are as likely. */
export function waitPercentile(stretches: readonly number[], share: number): number {
  const sorted = [...stretches].sort((a, b) => a - b);
  const total = sorted.reduce((sum, length) => sum + length, 0);
  // Moments with a wait of at least w: of each longer stretch, all but its last w milliseconds.
  let longer = total;
  let below = 0;
  for (const [index, length] of sorted.entries()) {
    const count = sorted.length - index;
    if (longer - count * length <= (1 - share) * total)
      return Math.max(below, (longer - (1 - share) * total) / count);
    longer -= length;
    below = length;
  }
  return below;
}
