import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { progressView } from './progress.ts';

function stream(isTTY: boolean): { readonly out: WriteStream; readonly written: () => string } {
  const through = new PassThrough();
  const chunks: string[] = [];
  through.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')));
  const out = Object.assign(through, { isTTY, columns: 80, rows: 24 }) as unknown as WriteStream;
  return { out, written: () => chunks.join('') };
}

describe('progressView', () => {
  it('writes a few plain lines where nobody watches', () => {
    const { out, written } = stream(false);
    const view = progressView(out);
    for (let done = 0; done <= 1000; done += 1) view.show({ phase: 'notes', done, total: 1000 });
    view.show({ phase: 'index', done: 0, total: null });
    view.stop();
    expect(written().split('\n')).toEqual([
      'Reading notes: 200 of 1000',
      'Reading notes: 400 of 1000',
      'Reading notes: 600 of 1000',
      'Reading notes: 800 of 1000',
      'Reading notes: 1000 of 1000',
      '',
    ]);
  });

  it('counts megabytes where nobody knows how many there will be', () => {
    for (const isTTY of [false, true]) {
      const { out, written } = stream(isTTY);
      const view = progressView(out);
      for (let done = 0; done <= 25_000_000; done += 100_000)
        view.show({ phase: 'receiving bytes', done, total: null });
      view.stop();
      expect(written()).toContain('Receiving: 10 MB\nReceiving: 20 MB\n');
    }
  });

  it('names the vault where several are told of', () => {
    const { out, written } = stream(false);
    const view = progressView(out);
    view.show({ phase: 'notes', done: 5, total: 5 }, 'garden');
    view.show({ phase: 'notes', done: 7, total: 7 }, 'work');
    expect(written()).toBe('garden: Reading notes: 5 of 5\nwork: Reading notes: 7 of 7\n');
  });

  it('says a line that stays, before and among the bars', () => {
    for (const isTTY of [false, true]) {
      const { out, written } = stream(isTTY);
      const view = progressView(out);
      view.say('Listening on http://127.0.0.1:1');
      view.show({ phase: 'notes', done: 1, total: 5 });
      view.say('Listening on http://127.0.0.1:2');
      view.stop();
      for (const port of [1, 2]) expect(written()).toContain(`Listening on http://127.0.0.1:${port}\n`);
    }
  });

  it('draws bars on a terminal, each vault its own', () => {
    const { out, written } = stream(true);
    const view = progressView(out);
    view.show({ phase: 'notes', done: 5, total: 10 }, 'garden');
    view.show({ phase: 'notes', done: 7, total: 7 }, 'work');
    view.stop();
    expect(written()).toContain('garden: Reading notes [');
    expect(written()).toContain('5/10');
    expect(written()).toContain('work: Reading notes [');
    expect(written()).toContain('7/7');
  });
});
