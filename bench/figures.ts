import { cpus, loadavg, totalmem } from 'node:os';

/** The value below which the given share (0..1) of the sorted samples lies. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** `p50 / p95` in milliseconds. */
export function p50p95(samples: readonly number[]): string {
  return `${percentile(samples, 0.5).toFixed(2)} / ${percentile(samples, 0.95).toFixed(2)}`;
}

/** One line about the machine and its load, to stand beside every table. */
export function machineLine(): string {
  const load = loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
  return `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, load ${load}, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`;
}

/** Milliseconds that the work took, with its result. */
export async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Mean reciprocal rank within the first ten of each ranking. */
export function meanReciprocalRank(ranks: readonly (number | null)[]): number {
  return (
    ranks.reduce<number>((sum, rank) => sum + (rank !== null && rank <= 10 ? 1 / rank : 0), 0) / ranks.length
  );
}
