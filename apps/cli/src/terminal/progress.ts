import type { CallProgress } from '@grove/server';
import { MultiBar, type SingleBar } from 'cli-progress';

/** What shows how far something is. */
export interface ProgressView {
  /** `of` names the vault, where several are told of. */
  show(progress: CallProgress, of?: string): void;
  /** Writes a line that stays, above the bars. */
  say(line: string): void;
  /** Ends the bars; the next line is free. */
  stop(): void;
}

const NAMES: Readonly<Record<string, string>> = {
  notes: 'Reading notes',
  index: 'Indexing',
  history: 'History',
  packing: 'Packing',
  embedding: 'Embedding',
  'backing up': 'Backing up',
  reading: 'Reading the backup',
  'writing notes': 'Writing notes',
  'writing files': 'Writing files',
  'syncing files': 'Syncing files',
  'receiving bytes': 'Receiving',
  'indexing objects': 'Indexing objects',
  'packing objects': 'Packing objects',
  'sending bytes': 'Sending',
};
/** Plain lines come at each of so many equal steps. */
const STEPS = 5;
/** Where nobody knows the end: a line for each of so many bytes. */
const STEP_BYTES = 10_000_000;

/** Bars on a terminal, plain lines elsewhere, both on stderr so that stdout stays an answer. */
export function progressView(stream: NodeJS.WriteStream): ProgressView {
  return stream.isTTY ? bars(stream) : lines(stream);
}

function nameOf(phase: string, of: string | undefined): string {
  const name = NAMES[phase] ?? phase;
  return of === undefined ? name : `${of}: ${name}`;
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
  const counting = countedLines((line) => stream.write(`${line}\n`));
  return {
    show: ({ phase, done, total }, of) => {
      const name = nameOf(phase, of);
      // A bar has an end.
      if (total === null && open.size === 0) counting(name, phase, done);
      if (total === null || total === 0) return;
      let bar = open.get(name);
      if (bar === undefined) {
        bar = multi.create(total, done, { phase: name.padEnd(14) });
        open.set(name, bar);
      }
      bar.setTotal(total);
      bar.update(done);
    },
    say: (line) => {
      // A line logged before the first bar would wait for it.
      if (open.size === 0) stream.write(`${line}\n`);
      else {
        multi.log(`${line}\n`);
        // Logged lines come with the next drawing, and none may follow.
        multi.update();
      }
    },
    stop: () => multi.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): ProgressView {
  const reached = new Map<string, number>();
  const counting = countedLines((line) => stream.write(`${line}\n`));
  return {
    show: ({ phase, done, total }, of) => {
      const name = nameOf(phase, of);
      if (total === null) counting(name, phase, done);
      if (total === null || total === 0) return;
      const step = Math.floor((done / total) * STEPS);
      if (step <= (reached.get(name) ?? 0)) return;
      reached.set(name, step);
      stream.write(`${name}: ${done} of ${total}\n`);
    },
    say: (line) => void stream.write(`${line}\n`),
    stop: () => {},
  };
}

/** Tells of bytes whose number nobody knows, now and then. */
function countedLines(write: (line: string) => void): (name: string, phase: string, done: number) => void {
  let told = 0;
  return (name, phase, done) => {
    if (!phase.endsWith(' bytes') || done < told + STEP_BYTES) return;
    told = done;
    write(`${name}: ${Math.floor(done / 1_000_000)} MB`);
  };
}
