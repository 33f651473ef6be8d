// A process of its own that moves a history into the vault's folder, for tests that kill it.
import { adoptGitDir } from '../repository/adopt-git-dir.ts';

const [from = '', workTree = ''] = process.argv.slice(2);
console.log('opened');
await adoptGitDir(from, workTree);
console.log('done');
