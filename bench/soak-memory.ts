import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from './stdio-session.ts';
import { sizeOfFolder } from './write-vault.ts';

const EVERY_MS = 10_000;

/** One look at a server. Memory in MB. */
export interface Look {
  /** Seconds since the first look. */
  readonly at: number;
  readonly rss: number;
  readonly children: number;
  /** By the name of the folder. */
  readonly folders: Readonly<Record<string, { readonly bytes: number; readonly files: number }>>;
}

/** Looks at a process and folders again and again. */
export class Watch {
  readonly looks: Look[] = [];
  readonly #pid: number;
  readonly #folders: Readonly<Record<string, string>>;
  readonly #from = performance.now();

  constructor(pid: number, folders: Readonly<Record<string, string>>) {
    this.#pid = pid;
    this.#folders = folders;
    this.look();
  }

  look(): void {
    this.looks.push({
      at: (performance.now() - this.#from) / 1000,
      rss: memoryOf(this.#pid).rss,
      children: childrenOf(this.#pid).reduce((sum, pid) => sum + rssOrNone(pid), 0),
      folders: Object.fromEntries(
        Object.entries(this.#folders).map(([name, folder]) => [name, sizeOfFolder(folder)]),
      ),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
      this.look();
    }
  }

  most(what: 'rss' | 'children'): number {
    return Math.max(...this.looks.map((look) => look[what]));
  }

  /** A row for each folder, as a table has them. */
  folderRows(first: Look, last: Look): (string | number)[][] {
    return Object.keys(this.#folders).map((name) => {
      const told = ({ folders }: Look) => {
        const { bytes, files } = folders[name]!;
        return `${(bytes / 1e6).toFixed(1)} in ${files} files`;
      };
      const most = this.looks.reduce((big, look) =>
        look.folders[name]!.bytes > big.folders[name]!.bytes ? look : big,
      );
      return [`${name}, MB`, told(this.looks[0]!), told(first), told(last), told(most)];
    });
  }
}

/** Processes that a process has started and that still run. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number);
    } catch {
      // The thread has ended meanwhile.
      return [];
    }
  });
}

function rssOrNone(pid: number): number {
  try {
    return memoryOf(pid).rss || 0;
  } catch {
    return 0;
  }
}

/** The slope of the line that fits the looks best, in MB a minute. */
export function slopeOf(looks: readonly Look[]): number {
  const mean = (pick: (look: Look) => number) =>
    looks.reduce((sum, look) => sum + pick(look), 0) / looks.length;
  const [at, rss] = [mean((look) => look.at), mean((look) => look.rss)];
  const spread = looks.reduce((sum, look) => sum + (look.at - at) ** 2, 0);
  if (spread === 0) return 0;
  return (looks.reduce((sum, look) => sum + (look.at - at) * (look.rss - rss), 0) / spread) * 60;
}

const COLUMNS = 60;
const ROWS = 10;

/** Memory over time as text: the highest look of each column, or the one before it. */
export function chartOf(looks: readonly Look[]): string {
  const top = Math.ceil(Math.max(...looks.map(({ rss }) => rss)) / 50) * 50;
  const end = looks.at(-1)!.at || 1;
  const heights = Array.from({ length: COLUMNS }, () => 0);
  for (const { at, rss } of looks) {
    const column = Math.min(COLUMNS - 1, Math.floor((at / end) * COLUMNS));
    heights[column] = Math.max(heights[column]!, rss);
  }
  for (let column = 1; column < COLUMNS; column += 1) heights[column] ||= heights[column - 1]!;
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const from = (top * (ROWS - 1 - row)) / ROWS;
    const bars = heights.map((height) => (height > from ? '#' : ' ')).join('');
    return `${String(Math.round(from + top / ROWS)).padStart(5)} | ${bars}`;
  });
  return [...lines, `   MB +${'-'.repeat(COLUMNS + 1)}`, `       0 to ${(end / 60).toFixed(1)} minutes`].join(
    '\n',
  );
}

/** The same as a picture. */
export function svgOf(looks: readonly Look[]): string {
  const [width, height] = [720, 240];
  const top = Math.ceil(Math.max(...looks.map(({ rss }) => rss)) / 50) * 50;
  const end = looks.at(-1)!.at || 1;
  const points = looks.map(
    ({ at, rss }) => `${((at / end) * width).toFixed(1)},${(height - (rss / top) * height).toFixed(1)}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -20 ${width + 70} ${height + 50}" font-family="sans-serif" font-size="12" role="img">`,
    `<title>Memory of the server (RSS) over ${(end / 60).toFixed(0)} minutes of mixed load</title>`,
    `<path d="M0 0V${height}H${width}" fill="none" stroke="#888"/>`,
    `<text x="-45" y="10">${top} MB</text><text x="-20" y="${height}">0</text>`,
    `<text x="${width - 60}" y="${height + 20}">${(end / 60).toFixed(0)} minutes</text>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="#2a7" stroke-width="2"/>`,
    '</svg>\n',
  ].join('\n');
}
