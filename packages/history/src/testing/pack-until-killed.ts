// A process of its own that packs a repository and kills itself before the change of the disk with a number, for tests.
import { diskWriteFs, systemClock, type WriteFs } from '@grove/core';
import { packObjects } from '../maintenance/pack-objects.ts';
import { locateGitDir } from '../repository/locate.ts';
import { NO_USER_SETTINGS } from '../writing/rules/user-settings.ts';

const [root = '', at = '1'] = process.argv.slice(2);
let calls = 0;
const pass = () => {
  calls += 1;
  if (calls === Number(at)) process.kill(process.pid, 'SIGKILL');
};
const fs: WriteFs = {
  ...diskWriteFs,
  create: async (path, mode) => {
    pass();
    return diskWriteFs.create(path, mode);
  },
  rename: async (from, to) => {
    pass();
    return diskWriteFs.rename(from, to);
  },
  unlink: async (path) => {
    pass();
    return diskWriteFs.unlink(path);
  },
};
const location = (await locateGitDir(root))!;
await packObjects(location, { clock: systemClock, user: NO_USER_SETTINGS, fs, joinFrom: 1 });
console.log('done');
