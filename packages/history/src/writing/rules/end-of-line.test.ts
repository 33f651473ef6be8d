import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkedOut } from '../../merging/merging.ts';
import { commitPaths, expectSound, openWriter } from '../../testing/git-twin.ts';

const piece = fc.constantFrom('text', 'é', '\r\n', '\r\n', '\n', '\r', '\0', '\x1a', '\x01', '\t', '\x7f');
const content = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join('')));
const attributes = fc.constantFrom(
  '',
  'text',
  '-text',
  'text=auto',
  'eol=crlf',
  'eol=lf',
  'crlf',
  'crlf=input',
  'text=auto eol=crlf',
  'text=auto eol=lf',
  'binary',
  'text=odd',
  '!text eol=lf',
  '-crlf',
);

describeWithPrograms('line endings', ['git'], () => {
  it('are stored as git add stores them', async () => {
    const git = SystemGit.init();
    git.run('config', 'core.autocrlf', 'false');
    const settings = readFileSync(join(git.dir, '.git', 'config'), 'utf8');
    const first = fc.option(content);
    await fc.assert(
      fc.asyncProperty(
        content,
        first,
        attributes,
        fc.constantFrom('true', 'input', 'false'),
        async (bytes, indexed, rule, autocrlf) => {
          // As few processes as do it: under load each takes a while.
          git.write('.git/config', settings);
          git.write('.gitattributes', '');
          git.write('n.md', indexed ?? '');
          if (indexed === null) git.run('update-index', '--force-remove', 'n.md');
          else git.run('add', 'n.md');
          git.write('.gitattributes', `*.md ${rule}\n`);
          git.write('.git/config', `${settings}[core]\n\tautocrlf = ${autocrlf}\n`);
          await using writer = await openWriter(git.dir);
          const ours = await writer.clean('n.md', bytes);
          git.write('n.md', bytes);
          git.run('add', '--force', 'n.md');
          expect(ours.toString('latin1')).toBe(git.bytes('cat-file', 'blob', ':n.md').toString('latin1'));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('leave a note with CRLF clean under core.autocrlf, and one that git has with CRLF as it is', async () => {
    const git = SystemGit.init();
    git.write('old.md', 'one\r\n');
    git.commit();
    git.run('config', 'core.autocrlf', 'true');
    git.run('config', 'core.safecrlf', 'false');
    git.write('new.md', 'new\r\nnote\r\n');
    git.write('old.md', 'one\r\ntwo\r\n');
    await using writer = await openWriter(git.dir);
    await commitPaths(writer, git.dir, [
      { path: 'new.md', bytes: Buffer.from('new\r\nnote\r\n') },
      { path: 'old.md', bytes: Buffer.from('one\r\ntwo\r\n') },
    ]);
    expect(git.run('show', 'HEAD:new.md')).toBe('new\nnote\n');
    expect(git.run('show', 'HEAD:old.md')).toBe('one\r\ntwo\r\n');
    expectSound(git);
  });

  it('are given to files as git checks them out', async () => {
    const git = SystemGit.init();
    git.run('config', 'core.autocrlf', 'false');
    const settings = readFileSync(join(git.dir, '.git', 'config'), 'utf8');
    await fc.assert(
      fc.asyncProperty(
        content,
        attributes,
        fc.constantFrom('true', 'input', 'false'),
        fc.constantFrom('lf', 'crlf', 'native'),
        async (bytes, rule, autocrlf, eol) => {
          git.write('.git/config', settings);
          git.write('.gitattributes', '');
          git.write('n.md', bytes);
          git.run('add', 'n.md');
          git.write('.gitattributes', `*.md ${rule}\n`);
          git.write('.git/config', `${settings}[core]\n\tautocrlf = ${autocrlf}\n\teol = ${eol}\n`);
          await using writer = await openWriter(git.dir);
          const rules = await writer.rules('n.md');
          const checkout = rules.crlf && rules.eol !== 'binary' ? rules.eol : 'as_is';
          git.remove('n.md');
          git.run('checkout-index', '-q', 'n.md');
          expect(checkedOut(bytes, checkout).toString('latin1')).toBe(
            readFileSync(join(git.dir, 'n.md')).toString('latin1'),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
