import type { CallProgress } from '@grove/server';
import { MultiBar, type SingleBar } from 'cli-progress';

/** What shows how far something is. */
export interface ProgressView {
  show(progress: CallProgress): void;
  /** Ends the bars; the next line is free. */
  stop(): void;
}

const NAMES: Readonly<Record<string, string>> = {
  notes: 'Reading notes',
  index: 'Indexing',
  history: 'History',
};
/** Plain lines come at each of so many equal steps. */
const STEPS = 5;

/** Bars on a terminal, plain lines elsewhere, both on stderr so that stdout stays an answer. */
export function progressView(stream: NodeJS.WriteStream): ProgressView {
  return stream.isTTY ? bars(stream) : lines(stream);
}

function bars(stream: NodeJS.WriteStream): ProgressView {
  const multi = new MultiBar(
    {
      stream,
      format: '{phase} [{bar}] {value}/{total}',
      barCompleteChar: '=',
      barIncompleteChar: ' ',
      barsize: 30,
      hideCursor: true,
      clearOnComplete: false,
      noTTYOutput: false,
    },
    undefined,
  );
  const open = new Map<string, SingleBar>();
  return {
    show: ({ phase, done, total }) => {
      if (total === null || total === 0) return;
      let bar = open.get(phase);
      if (bar === undefined) {
        bar = multi.create(total, done, { phase: (NAMES[phase] ?? phase).padEnd(14) });
        open.set(phase, bar);
      }
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => multi.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): ProgressView {
  const reached = new Map<string, number>();
  return {
    show: ({ phase, done, total }) => {
      if (total === null || total === 0) return;
      const step = Math.floor((done / total) * STEPS);
      if (step <= (reached.get(phase) ?? 0)) return;
      reached.set(phase, step);
      stream.write(`${NAMES[phase] ?? phase}: ${done} of ${total}\n`);
    },
    stop: () => {},
  };
}
