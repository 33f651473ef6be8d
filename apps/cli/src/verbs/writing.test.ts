import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, end } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { RawSession } from '../testing/raw-session.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

let scratch: Scratch;
let args: string[];
beforeEach(() => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterEach(() => scratch.remove());

const onDisk = (path: string): string => readFileSync(join(scratch.vault, path), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests that ask for them.
async function json(words: readonly string[], input?: string): Promise<any> {
  const { stdout } = await runGrove([...words, ...args, '--json'], input === undefined ? {} : { input });
  return JSON.parse(stdout);
}

async function text(words: readonly string[], input?: string) {
  return await runGrove([...words, ...args], input === undefined ? {} : { input });
}

describe('a vault that was never opened for writing', () => {
  it('is not written, and the refusal says how to allow it', async () => {
    const refused = await json(['append', 'Start here', 'more']);
    expect(refused.error.code).toBe('writes_off');
    expect(refused.error.next).toContain('vault writes on');
    expect(await json(['vault', 'writes'])).toEqual({ slug: 'my-garden', writes: false, problem: null });
    expect(onDisk('Start here.md')).not.toContain('more');
  });
});

describe('the writing verbs, without a server', () => {
  beforeEach(async () => {
    expect(await json(['vault', 'writes', 'on'])).toEqual({ slug: 'my-garden', writes: true, problem: null });
  });

  it('write, append and edit', async () => {
    const made = await json(['write', 'New/Note.md'], '# Note\n\none\ntwo\n');
    expect(made).toMatchObject({ created: true, path: 'New/Note.md' });
    const again = await json(['write', 'New/Note.md'], '# Note\n\nother\nwords\n');
    expect(again.error.code).toBe('hash_required');
    const file = join(scratch.folder, 'text.md');
    writeFileSync(file, '# Note\n\none\ntwo\nthree\n');
    const whole = ['write', 'New/Note.md', '--if-hash', made.source_hash, '--file', file];
    expect(await json([...whole, '--dry-run'])).toMatchObject({ dry_run: true });
    expect(onDisk('New/Note.md')).toBe('# Note\n\none\ntwo\n');
    await json(whole);
    await json(['append', 'New/Note.md', 'four', 'and', 'five']);
    await json(['append', 'New/Note.md', '--section', 'Log', '--create-section'], '- logged\n');
    await json(['edit', 'New/Note.md', '--find', 'two', '--replace', '2']);
    expect(onDisk('New/Note.md')).toBe('# Note\n\none\n2\nthree\n\nfour and five\n\n## Log\n\n- logged\n');
    expect((await json(['search', 'logged'])).hits).toMatchObject([{ path: 'New/Note.md' }]);
  });

  it('move, delete and restore', async () => {
    const moved = await json(['move', 'Compost', 'Heap/']);
    expect(moved).toMatchObject({ path: 'Heap/Compost.md', moved_from: 'Garden/Compost.md' });
    const deleted = await json(['delete', 'Heap/Compost.md', '--reason', 'Rotten']);
    expect(existsSync(join(scratch.vault, 'Heap/Compost.md'))).toBe(false);
    const { batch } = deleted.undo.from;
    expect(await json(['restore', 'Heap/Compost.md', '--batch', batch])).toMatchObject({ created: true });
    expect(onDisk('Heap/Compost.md')).toContain('Turn the heap every three weeks.');
    const edited = await json(['edit', 'Heap/Compost.md', '--find', 'three', '--replace', 'two']);
    const before = ['restore', 'Heap/Compost.md', '--revision', `${edited.commit}^`];
    expect((await json(before)).error.code).toBe('hash_required');
    await json([...before, '--if-hash', edited.source_hash]);
    expect(onDisk('Heap/Compost.md')).toContain('every three weeks');
  });

  it('take text that begins with a dash for text, wherever the options stand', async () => {
    await json(['append', 'List.md', '- one', '--reason', '- why']);
    await json(['append', 'List.md', '--reason', 'x', '-', 'two']);
    await json(['append', 'List.md', '- --section is text here']);
    await runGrove(['append', ...args, '--', 'List.md', '--three']);
    expect(onDisk('List.md')).toBe('- one\n- two\n- --section is text here\n\n--three\n');
    await json(['edit', 'List.md', '--find', '- one', '--replace', '- [x] one']);
    expect(onDisk('List.md')).toMatch(/^- \[x\] one\n/);
    expect(await json(['write', '-Dashed.md'], '- first\n')).toMatchObject({ path: '-Dashed.md' });
    expect((await json(['get', '-Dashed.md'])).content).toBe('- first\n');
    await json(['move', '-Dashed.md', '-Other.md']);
    expect(onDisk('-Other.md')).toBe('- first\n');
  });

  it('do not write a misspelt option into a note', async () => {
    for (const slip of ['--timestmp', '--timestmp=1', '-t']) {
      const { code, stderr } = await text(['append', 'Compost', 'words', slip]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('unknown option')]);
    }
    expect(onDisk('Garden/Compost.md')).not.toContain('words');
  });

  it('tags adds and removes tags', async () => {
    const dry = await json(['tags', 'Tomatoes', '--add', 'red', '--dry-run']);
    expect(dry).toMatchObject({ dry_run: true, applied: [{ tag: 'red', action: 'add' }] });
    await json(['tags', 'Tomatoes', '--add', 'red', '--add', '#fruit, sweet', '--remove', 'garden']);
    expect(onDisk('Garden/Tomatoes.md')).toContain('tags: [red, fruit, sweet]');
    await json(['tags', 'Tomatoes', '--add', 'ripe', '--location', 'inline']);
    expect(onDisk('Garden/Tomatoes.md')).toContain('#ripe');
    const stale = await json(['tags', 'Tomatoes', '--add', 'x', '--if-hash', '0'.repeat(16)]);
    expect(stale.error.code).toBe('stale_hash');
    expect((await text(['tags', 'Tomatoes'])).code).toBe(2);
  });

  it('set sets and unsets properties, whose values are YAML', async () => {
    const values = ['rating=4', 'done=true', 'due=2026-12-01', 'names=[Ada, Bo]', 'see=[[Compost]]'];
    await json(['set', 'Tomatoes', ...values, 'colour=#f00', 'note=a: b', 'minus=-3', '--unset', 'type']);
    expect(onDisk('Garden/Tomatoes.md')).toBe(
      '---\ntags: [garden]\nrating: 4\ndone: true\ndue: 2026-12-01\nnames:\n  - Ada\n  - Bo\nsee: "[[Compost]]"\ncolour: "#f00"\nnote: "a: b"\nminus: -3\n---\n# Tomatoes\n\nSow indoors in March; see [[Compost#Greens]].\n',
    );
    for (const wrong of [
      ['set', 'Tomatoes'],
      ['set', 'Tomatoes', 'rating'],
      ['set', 'Tomatoes', '=4'],
    ])
      expect((await text(wrong)).code).toBe(2);
  });

  it('prepend adds at the start, and replace puts other text under a heading', async () => {
    await json(['prepend', 'Compost', '- first', '--section', 'Greens']);
    const path = 'Garden/Compost.md';
    expect(onDisk(path)).toContain('## Greens\n\n- first\n\nCoffee grounds, grass.\n');
    const replace = ['replace', 'Compost', '--section', 'Browns', '- leaves'];
    expect((await json(replace)).error.code).toBe('hash_required');
    const { source_hash } = await json(['get', 'Compost']);
    await json([...replace, '--if-hash', source_hash]);
    expect(onDisk(path)).toContain('## Browns\n\n- leaves\n');
    await json(['replace', 'Compost#Browns', '- straw', '--if-hash', '*']);
    expect(onDisk(path)).toContain('## Browns\n\n- straw\n');
    const parts = ['replace', 'Compost', '--section', 'Compost', 'Turn it.', '--if-hash', '*'];
    expect((await json(parts)).error.code).toBe('would_drop_subsections');
    await json([...parts, '--no-subsections']);
    expect(onDisk(path)).toMatch(/# Compost\n\nTurn it\.\n\n## Greens\n/);
  });

  it('write makes a note of a type from its template', async () => {
    scratch.write('.grove/vault.yaml', 'types:\n  plant:\n    template: Templates/Plant\n');
    scratch.write('Templates/Plant.md', '---\ntype: plant\ntags: [plant]\n---\n# {{title}}\n');
    const made = await json(['write', 'Garden/Leek.md', '--type', 'plant'], '');
    expect(made).toMatchObject({ created: true, remarks: [expect.stringContaining('Templates/Plant.md')] });
    expect(onDisk('Garden/Leek.md')).toBe('---\ntype: plant\ntags: [plant]\n---\n# Leek\n');
    const again = await json(['write', 'Garden/Leek.md', '--type', 'plant', '--if-hash', '*'], 'text');
    expect(again.error.code).toBe('note_exists');
  });

  it('tell what they did in words, and what they refuse with its next step', async () => {
    const done = await text(['append', 'Compost', 'Warm today.']);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('Garden/Compost.md')]);
    const missed = await text(['edit', 'Compost', '--find', 'no such words', '--replace', 'x']);
    expect([missed.code, missed.stdout]).toEqual([1, '']);
    expect(missed.stderr).toContain('matches nothing');
    const often = await text(['edit', 'Compost', '--find', 'e', '--replace', 'x']);
    expect(often.stderr).toMatch(/\nLines: \d+, .*\n.* or give --all\.\n$/s);
  });

  it('switch without a word on stderr', async () => {
    for (const state of ['off', 'on', 'off', 'on'])
      expect(await text(['vault', 'writes', state])).toMatchObject({ code: 0, stderr: '' });
  });

  it('show what changed where a hash is stale', async () => {
    const made = await json(['write', 'Twice.md'], 'one\n');
    await json(['edit', 'Twice.md', '--find', 'one', '--replace', 'two']);
    const stale = await text(['write', 'Twice.md', '--if-hash', made.source_hash], 'three\n');
    expect(stale.stderr).toMatch(/\n-one\n\+two\n.*\nRead it again with .*grove'? get, /s);
  });

  it('name the command that takes a change back', async () => {
    const done = await text(['append', 'Compost', 'Warm today.']);
    const undo = /\nUndo: .*\brestore Garden\/Compost\.md (--revision .*) --if-hash (\w+) --vault /.exec(
      done.stdout,
    );
    const [revision, hash] = [undo?.[1]?.split(' ')[1]?.replaceAll("'", '') ?? '', undo?.[2] ?? ''];
    await json(['restore', 'Garden/Compost.md', '--revision', revision, '--if-hash', hash]);
    expect(onDisk('Garden/Compost.md')).not.toContain('Warm today.');
  });

  it('mend frontmatter that cannot be read, as the refusal says', async () => {
    scratch.write('Broken.md', '---\na: [1\n---\nText\n');
    const refused = await text(['set', 'Broken', 'b=2']);
    expect(refused.stderr).toMatch(/grove'? edit and --scope note\.\n$/);
    await json(['edit', 'Broken', '--find', '[1', '--replace', '[1]', '--scope', 'note']);
    await json(['set', 'Broken', 'b=2']);
    expect(onDisk('Broken.md')).toBe('---\na: [1]\nb: 2\n---\nText\n');
  });

  it.each([
    [['write', 'A.md', '--file', '/dev/null/none'], undefined, 'cannot be read'],
    [['write', 'A.md'], 'x'.repeat(110_000), 'at most'],
  ])('refuse %j', async (words, input, said) => {
    const { code, stderr } = await text(words, input);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(existsSync(join(scratch.vault, 'A.md'))).toBe(false);
  });

  it.each([
    ['edit', 'A.md', '--find', 'x'],
    ['append', 'A.md', 'words', '--file', 'x'],
    ['restore', 'A.md', '--batch', 'x', '--revision', 'y'],
    ['revert', '--key', 'x'],
    ['vault', 'writes', 'maybe'],
  ])('exit 2 on %s %s %s', async (...words) => {
    expect((await text(words.filter((word) => word !== undefined))).code).toBe(2);
  });

  it('hold to the limits of the environment', async () => {
    const env = { GROVE_READ_ONLY: '1' };
    const { stdout } = await runGrove(['append', 'Compost', 'x', ...args, '--json'], { env });
    expect(JSON.parse(stdout).error.code).toBe('read_only');
  });
});

describe('a vault whose repository cannot be read', () => {
  it('is told of once, with its next step and without lines of a log', async () => {
    await json(['vault', 'writes', 'on']);
    mkdirSync(join(scratch.vault, '.git', 'objects'), { recursive: true });
    const { code, stderr } = await text(['append', 'Compost', 'x']);
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [expect.stringContaining('lacks HEAD'), expect.stringContaining('doctor')],
    ]);
    expect((await text(['get', 'Compost'])).code).toBe(0);
  });
});

describe('a stdio session', () => {
  it('is told of the switch, is shown write_note, and writes for itself and for sessions beside it', async () => {
    const [first, beside] = [new RawSession(args), new RawSession(args)];
    const tools = async (session: RawSession) => {
      const { result } = await session.request('tools/list');
      return result.tools.map(({ name }: { readonly name: string }) => name);
    };
    try {
      for (const session of [first, beside]) {
        await session.initialize();
        expect(await tools(session)).not.toContain('write_note');
      }
      expect(await json(['vault', 'writes', 'on'])).toMatchObject({ writes: true });
      for (const [at, session] of [first, beside].entries()) {
        await session.until(({ method }) => method === 'notifications/tools/list_changed');
        expect(await tools(session)).toContain('write_note');
        const { isError } = await session.call('write_note', { path: `Session ${at}.md`, content: 'x' });
        expect([isError, onDisk(`Session ${at}.md`)]).toEqual([undefined, 'x\n']);
      }
    } finally {
      await Promise.all([end(first.child), end(beside.child)]);
    }
  });
});

describe('a server that runs', () => {
  it('is switched at once, and writes for the command line', async () => {
    const server = await startServer(args);
    try {
      const url = `${server.told.local_url}/v1/notes/Compost/append`;
      const append = async (words: string) =>
        await fetch(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.told.key}`, 'content-type': 'text/plain' },
          body: words,
        });
      expect((await append('too early')).status).toBe(403);
      expect(await json(['vault', 'writes', 'on'])).toMatchObject({ writes: true });
      expect((await append('over HTTP')).status).toBe(200);
      expect(await json(['append', 'Compost', 'from the terminal'])).toMatchObject({
        path: 'Garden/Compost.md',
      });
      const refused = await json(['write', 'Garden/Compost.md'], 'all new');
      expect(refused.error.code).toBe('hash_required');
      expect(await json(['vault', 'writes', 'off'])).toMatchObject({ writes: false });
      expect((await append('too late')).status).toBe(403);
      expect((await json(['append', 'Compost', 'too late'])).error.code).toBe('writes_off');
      expect(onDisk('Garden/Compost.md')).toMatch(/over HTTP\n\nfrom the terminal\n$/);
    } finally {
      expect(await server.stop()).toBe(0);
    }
    expect(await json(['vault', 'writes'])).toMatchObject({ writes: false });
  });

  it('may write from its start with --writes, and later starts keep that', async () => {
    for (const more of [['--writes'], []]) {
      const server = await startServer([...args, ...more]);
      expect(await json(['vault', 'writes'])).toMatchObject({ writes: true });
      await server.stop();
    }
  });
});

describeWithPrograms('the history of a written note', ['git'], () => {
  it('names the owner, the operation and the reason', async () => {
    await json(['vault', 'writes', 'on']);
    await json(['append', 'Compost', 'x', '--reason', 'It was missing']);
    const gitDir = join(scratch.data, 'vaults', 'my-garden', 'git');
    const log = execFileSync('git', ['--git-dir', gitDir, 'log', '-1', '--format=%an%n%B'], {
      encoding: 'utf8',
    });
    expect(log).toMatch(/^owner\nAppend to Garden\/Compost\.md\n/);
    expect(log).toContain('Grove-Operation: append\n');
    expect(log).toContain('Grove-Reason: It was missing\n');
  });
});
