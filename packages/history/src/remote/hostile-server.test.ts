import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { entryHeader } from '../maintenance/pack-builder.ts';
import { locateGitDir } from '../repository/locate.ts';
import { cloneRemote } from './clone-remote.ts';
import { fetchRemote } from './remote.ts';
import { serveMade } from './testing/made-server.ts';
import { FLUSH, pktLine } from './wire/pkt-line.ts';

const TIP = '1'.repeat(40);
const NAK = pktLine('NAK\n');

/** A packet with data. */
function banded(data: Buffer): Buffer {
  const head = Buffer.from((data.length + 5).toString(16).padStart(4, '0'));
  return Buffer.concat([head, Buffer.from([1]), data]);
}

/** What comes of a fetch into a new repository. */
async function failureOf(url: string, more: object = {}): Promise<unknown> {
  const git = SystemGit.init();
  git.commit('Begin');
  const location = (await locateGitDir(git.dir))!;
  const call = { location, url, name: 'origin', branch: 'main', token: null, ...more };
  return fetchRemote(call).catch((error: unknown) => error);
}

describeWithPrograms('a server that', ['git'], () => {
  it('gives up with words of its own is quoted in a line', async () => {
    const words = `ERR \u001b]0;owned\u0007\u001b[31m${'z'.repeat(60_000)}\n`;
    const url = await serveMade({ tip: TIP, answer: () => [pktLine(words)] });
    const reason = expect.stringMatching(/^it says "\]0;owned z{280,300}…"$/);
    expect(await failureOf(url)).toMatchObject({ code: 'remote_answer_unusable', data: { reason } });
  });

  it('talks and sends nothing is given up', async () => {
    async function* talk(): AsyncGenerator<Buffer> {
      yield NAK;
      for (;;) {
        yield Buffer.concat([pktLine('\u0002Counting\n'), pktLine('\u0001')]);
        await setTimeout(30);
      }
    }
    const url = await serveMade({ tip: TIP, answer: talk });
    expect(await failureOf(url, { idleLimitMs: 150 })).toMatchObject({
      code: 'remote_unreachable',
      data: { reason: 'nothing but talk came from it for 2 s' },
    });
  });

  it('talks more than there is to say is given up', async () => {
    const line = pktLine(`\u0002${'z'.repeat(60_000)}`);
    const url = await serveMade({ tip: TIP, answer: () => [NAK, ...Array(20).fill(line)] });
    const reason = 'it talks and talks in place of sending';
    expect(await failureOf(url)).toMatchObject({ code: 'remote_answer_unusable', data: { reason } });
  });

  it('keeps at it for ever is ended', async () => {
    const url = await serveMade({ tip: TIP, answer: () => [] });
    const reason = 'it took longer than any call may';
    expect(await failureOf(url, { longestMs: 1 })).toMatchObject({
      code: 'remote_interrupted',
      data: { reason },
    });
  });

  it('sends an object that no machine should hold is told so', async () => {
    const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\u0001');
    const bytes = Buffer.concat([head, entryHeader(3, 2 ** 30), deflateSync(Buffer.alloc(1000))]);
    const sum = createHash('sha1').update(bytes).digest();
    const sent = [NAK, banded(Buffer.concat([bytes, sum])), FLUSH];
    expect(await failureOf(await serveMade({ tip: TIP, answer: () => sent }))).toMatchObject({
      code: 'remote_history_unusable',
      data: { reason: 'it holds an object of more than 256 MB' },
    });
  });

  it.each(['../../junk line', TIP])('names %s as cut off is refused', async (named) => {
    const bare = SystemGit.init();
    bare.write('Plan.md', '# Plan\n');
    const tip = bare.commit('Begin');
    const stem = join(bare.dir, '.git', 'sent');
    const sum = bare.feed('HEAD\n', 'pack-objects', '--revs', '-q', stem).trim();
    const pack = banded(readFileSync(`${stem}-${sum}.pack`));
    const sent = [pktLine(`shallow ${named}`), FLUSH, NAK, pack, FLUSH];
    const url = await serveMade({ tip, answer: () => sent });
    const dir = join(temporaryFolder('junk'), 'vault');
    await expect(cloneRemote({ url, dir, token: null, branch: 'main', depth: 1 })).rejects.toMatchObject({
      code: 'remote_answer_unusable',
      data: { reason: expect.stringMatching(/^it names a commit without parents/) },
    });
    expect(existsSync(dir)).toBe(false);
  });
});
