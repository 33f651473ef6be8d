import { PassThrough } from 'node:stream';
import { GroveError } from '@grove/core';
import { describe, expect, it } from 'vitest';
import { PROMPT_HELP, runPrompt } from './prompt.ts';

async function type(lines: readonly string[]): Promise<string[]> {
  const input = new PassThrough();
  const shown: string[] = [];
  const done = runPrompt(
    {
      input,
      output: new PassThrough().resume(),
      show: (text) => shown.push(text),
      stop: new AbortController().signal,
    },
    {
      search: async (words) => `found ${words}`,
      get: async (name) => {
        if (name === 'nothing') throw new GroveError('note_not_found', { path: name });
        return `note ${name}`;
      },
      list: async () => 'list',
      status: async () => 'status',
      more: async () => 'next page',
      choose: async (slug) => `vault ${slug}`,
    },
  );
  input.end(`${lines.join('\n')}\n`);
  await done;
  return shown;
}

describe('runPrompt', () => {
  it('searches for words and knows its commands', async () => {
    expect(await type(['red tomatoes', '', 'get My Note', 'list', 'status', 'vault work', 'help'])).toEqual([
      'found red tomatoes',
      'note My Note',
      'list',
      'status',
      'vault work',
      PROMPT_HELP,
    ]);
  });

  it('goes on after an error, which it shows with its next step', async () => {
    expect(await type(['get nothing', 'tomatoes'])).toEqual([
      expect.stringMatching(/^Error note_not_found: .*\nNext: /),
      'found tomatoes',
    ]);
  });

  it('asks which one where a command lacks its name, and goes to the next page', async () => {
    expect(await type(['get', 'vault', 'more'])).toEqual([
      'Say which note: get NAME',
      'Say which vault: vault SLUG',
      'next page',
    ]);
  });

  it('ends at quit', async () => {
    expect(await type(['quit', 'never'])).toEqual([]);
  });

  it('ends when the process is asked to stop', async () => {
    const stop = new AbortController();
    const streams = { input: new PassThrough(), output: new PassThrough().resume(), show: () => {} };
    const none = async (): Promise<string> => '';
    const done = runPrompt(
      { ...streams, stop: stop.signal },
      { search: none, get: none, list: none, status: none, more: none, choose: none },
    );
    stop.abort();
    await done;
    expect(stop.signal.aborted).toBe(true);
  });
});
