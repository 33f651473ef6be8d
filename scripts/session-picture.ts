// Runs commands on the sample vault, as the README shows them, and draws what they print: docs/pictures/session.svg.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const COLUMNS = 104;
const MOST_LINES = 14;
const ROW = 18;
const HEAD = 34;
const MARGIN = 16;

/** What is typed, as a shell takes it apart. */
const COMMANDS: readonly (readonly string[])[] = [
  ['search', 'why does the barrel lose water', '--limit', '1'],
  ['vault', 'writes', 'on'],
  ['append', 'rain barrel automation#log', '- 2026-12-01: new seal, the tap is dry.'],
  ['history', 'rain barrel automation', '--limit', '2'],
];

const root = new URL('..', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'grove-session-'));
const env = { ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC' };

function grove(words: readonly string[]): string {
  return execFileSync(join(root, 'bin/grove'), words, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The sample vault as a first start leaves it, with all of it embedded. */
async function makeSample(): Promise<void> {
  const server = spawn(join(root, 'bin/grove'), ['start', '--port', '0'], { env, stdio: 'ignore' });
  const exit = new Promise((resolve) => server.once('exit', resolve));
  try {
    for (let tries = 0; tries < 60; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (isEmbedded()) return;
    }
    throw new Error('the sample vault was not ready in a minute');
  } finally {
    server.kill('SIGTERM');
    await exit;
  }
}

function isEmbedded(): boolean {
  try {
    const { embedding } = JSON.parse(grove(['status', '--json']));
    return embedding.done > 0 && embedding.pending === 0;
  } catch {
    return false;
  }
}

function typed(words: readonly string[]): string {
  return `$ grove ${words.map((word) => (/[\s#]/.test(word) ? `"${word}"` : word)).join(' ')}`;
}

function wrapped(line: string): string[] {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const rows: string[] = [];
  let row = '';
  for (const word of line.split(/(?<= )/)) {
    if ((row + word).length > COLUMNS && row.trim() !== '') {
      rows.push(row.trimEnd());
      row = indent;
    }
    row += word;
  }
  return [...rows, row.trimEnd()].map((text) =>
    text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text,
  );
}

function drawn(rows: readonly { readonly text: string; readonly isTyped: boolean }[]): string {
  const width = 2 * MARGIN + COLUMNS * 7.9;
  const height = HEAD + rows.length * ROW + MARGIN;
  const escaped = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const lines = rows.map(
    ({ text, isTyped }, at) =>
      `<text x="${MARGIN}" y="${HEAD + at * ROW + 12}" fill="${isTyped ? '#a6da95' : '#cad3f5'}" xml:space="preserve">${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img" aria-label="A session with Grove in a terminal">
<rect width="100%" height="100%" rx="8" fill="#24273a"/>
<circle cx="18" cy="16" r="5" fill="#ed8796"/><circle cx="36" cy="16" r="5" fill="#eed49f"/><circle cx="54" cy="16" r="5" fill="#a6da95"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13">
${lines.join('\n')}
</g>
</svg>
`;
}

try {
  await makeSample();
  const rows = COMMANDS.flatMap((words) => {
    const printed = grove(words).trimEnd().split('\n').flatMap(wrapped);
    const shown = printed.length > MOST_LINES ? [...printed.slice(0, MOST_LINES - 1), '…'] : printed;
    return [
      { text: typed(words), isTyped: true },
      ...shown.map((text) => ({ text, isTyped: false })),
      { text: '', isTyped: false },
    ];
  });
  writeFileSync(join(root, 'docs/pictures/session.svg'), drawn(rows.slice(0, -1)));
  console.log('docs/pictures/session.svg is drawn.');
} finally {
  rmSync(home, { recursive: true, force: true });
}
