import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCommit } from '../../objects/commit.ts';
import { openWriter } from '../../testing/git-twin.ts';
import { signatureText } from './commit-text.ts';

describeWithPrograms('the text of a commit', ['git'], () => {
  it('passes git fsck whatever names, addresses, zones and messages come in', async () => {
    const git = SystemGit.init();
    await using writer = await openWriter(git.dir);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '<>', ' . ', 'a\nb <c>', '\ud800', 'x\0y'),
    );
    const who = fc.record({
      name: text,
      email: text,
      time: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, 1.5e12, -5)),
      offset: fc.oneof(fc.integer({ min: -900, max: 900 }), fc.constantFrom(0.5, Number.NaN, 99_999)),
    });
    const oids: string[] = [];
    await fc.assert(
      fc.asyncProperty(who, who, text, async (author, committer, message) => {
        const changes = [{ path: 'n.md', bytes: Buffer.from('n') }];
        const built = await writer.buildCommit({ parent: null, changes, author, committer, message });
        await writer.writeObjects(built);
        oids.push(built.oid);
        const again = parseCommit(built.oid, built.raw);
        expect(again.author.name).not.toBe('');
        expect(again.author.name).not.toMatch(/[<>\n\0]/);
      }),
      { numRuns: 150 },
    );
    oids.forEach((oid, i) => {
      git.run('update-ref', `refs/heads/b${i}`, oid);
    });
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    expect(oids.length).toBe(150);
  });

  it('trims names as git does, and never leaves one empty', () => {
    const sign = (name: string, email = 'ada@example.org', offset = 0) =>
      signatureText({ name, email, time: 1_700_000_000_999, offset });
    expect(sign(' "Ada, <Countess>." ')).toBe('Ada, Countess <ada@example.org> 1700000000 +0000');
    expect(sign('...')).toBe('ada <ada@example.org> 1700000000 +0000');
    expect(sign('', '')).toBe('unknown <> 1700000000 +0000');
    expect(sign('Ada', 'a@b', -210)).toBe('Ada <a@b> 1700000000 -0330');
    expect(sign('Ada', 'a@b', 345)).toBe('Ada <a@b> 1700000000 +0545');
  });
});
