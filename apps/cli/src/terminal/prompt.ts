import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { isGroveError } from '@grove/core';

/** What the prompt can do with a line. */
export interface PromptCommands {
  search(words: string): Promise<string>;
  get(name: string): Promise<string>;
  list(): Promise<string>;
  status(): Promise<string>;
  /** The next page of the answer before. */
  more(): Promise<string>;
  /** Asks another of the open vaults from now on. */
  choose(slug: string): Promise<string>;
}

export interface PromptStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Shows an answer; the prompt itself writes nothing else. */
  readonly show: (markdown: string) => void;
  readonly stop: AbortSignal;
}

/** What `help` says. */
export const PROMPT_HELP = [
  'Type words to search. Also:',
  '  get NAME   read a note by path, title, alias or date',
  '  list       the notes changed last',
  '  more       the next page of the last answer',
  '  status     health of the vault',
  '  vault SLUG ask another vault, when several are open',
  '  quit       stop Grove',
].join('\n');
/** What stands above the first prompt. */
export const PROMPT_GREETING = 'Type words to search, help for more, quit to stop.';

const SAY_WHICH = { get: 'Say which note: get NAME', vault: 'Say which vault: vault SLUG' } as const;

/** Asks for lines until `quit`, the end of the input or the stop signal. An error of one line does not end it. */
export async function runPrompt(streams: PromptStreams, commands: PromptCommands): Promise<void> {
  const lines = createInterface({ input: streams.input, output: streams.output, prompt: 'grove> ' });
  const close = (): void => lines.close();
  streams.stop.addEventListener('abort', close, { once: true });
  lines.on('SIGINT', close);
  try {
    lines.prompt();
    for await (const line of lines) {
      const text = line.trim();
      if (text === 'quit' || text === 'exit') break;
      if (text !== '') await answerLine(text, streams, commands);
      lines.prompt();
    }
  } finally {
    streams.stop.removeEventListener('abort', close);
    lines.close();
  }
}

async function answerLine(text: string, { show }: PromptStreams, commands: PromptCommands): Promise<void> {
  try {
    const [, command, name] = /^(get|vault)\s+(.+)$/.exec(text) ?? [];
    if (command === 'get' && name !== undefined) show(await commands.get(name));
    else if (command === 'vault' && name !== undefined) show(await commands.choose(name));
    else if (text === 'help' || text === '?') show(PROMPT_HELP);
    else if (text === 'get' || text === 'vault') show(SAY_WHICH[text]);
    else if (text === 'list') show(await commands.list());
    else if (text === 'more') show(await commands.more());
    else if (text === 'status') show(await commands.status());
    else show(await commands.search(text));
  } catch (error) {
    if (!isGroveError(error)) throw error;
    show(`Error ${error.code}: ${error.message}\nNext: ${error.hint}`);
  }
}
