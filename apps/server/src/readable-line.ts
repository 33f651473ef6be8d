const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** What every line has, and what is shown by itself. */
const SHOWN = ['level', 'time', 'pid', 'msg', 'err'];

/**
 * A JSON line of the log as people read it, with what else it says behind its words, and the stack of an error below.
 *
 * @example readableLine('{"level":40,"time":0,"pid":7,"vault":"garden","msg":"the folder vanished"}\n')
 * // '00:00:00 warn   the folder vanished (vault garden)\n'
 */
export function readableLine(line: string): string {
  const said = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const time = new Date(Number(said.time)).toISOString().slice(11, 19);
  const facts = Object.entries(said).flatMap(([name, value]) =>
    SHOWN.includes(name) || value === null ? [] : [`${name} ${plain(value)}`],
  );
  const level = (LEVELS[Number(said.level)] ?? String(said.level)).padEnd(6);
  const behind = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return printable(`${time} ${level} ${String(said.msg ?? '')}${behind}${errorText(said.err)}\n`);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { message, hint, stack } = error as Readonly<Record<string, unknown>>;
  if (typeof stack === 'string') return `\n  ${stack.replaceAll('\n', '\n  ')}`;
  return `: ${[message, hint].filter((part) => typeof part === 'string').join(' ')}`;
}

/** Whatever a client calls itself must not steer the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '?');
}
