// A process of its own that writes a note and stops for ever before a rename, for tests that kill it there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskWriteFs, systemClock, type WriteFs } from '@grove/core';
import { locateGitDir } from '../repository/locate.ts';
import { openGitWriter } from '../writing/git-writer.ts';
import { NO_USER_SETTINGS } from '../writing/rules/user-settings.ts';
import { indexChanges } from './index-changes.ts';

const [root = '', target = '', path = '', links = 'links'] = process.argv.slice(2);
const fs: WriteFs = {
  ...diskWriteFs,
  link: (from, to) =>
    links === 'links'
      ? diskWriteFs.link(from, to)
      : Promise.reject(Object.assign(new Error('no links here'), { code: 'EPERM' })),
  async rename(from, to) {
    if (to.endsWith(target)) {
      console.log('held');
      setInterval(() => {}, 60_000);
      await new Promise(() => {});
    }
    return diskWriteFs.rename(from, to);
  },
};
const location = (await locateGitDir(root))!;
const writer = await openGitWriter(location, { clock: systemClock, user: NO_USER_SETTINGS, fs });
const who = { name: 'Ada', email: 'ada@example.org', time: 1_700_000_000_000, offset: 0 };
const bytes = Buffer.from(`${path}\n`);
mkdirSync(dirname(join(root, path)), { recursive: true });
writeFileSync(join(root, path), bytes);
const lock = await writer.lockIndex();
const head = await writer.head([path]);
const built = await writer.buildCommit({
  parent: head.oid,
  changes: [{ path, bytes }],
  author: who,
  committer: who,
  message: path,
});
await writer.writeObjects(built);
await writer.moveRef({ ref: head.ref, from: head.oid, to: built.oid, reflog: path, who });
await lock.commit(indexChanges(root, built));
console.log('done');
