// A process of its own that brings a derived history up to date, for tests that kill it.
import { openHistory } from '../history.ts';
import { locateGitDir } from '../repository/locate.ts';

const [root = '', dir = ''] = process.argv.slice(2);
const history = await openHistory({ location: (await locateGitDir(root))!, dir });
console.log('opened');
await history.caughtUp();
console.log('done');
await history.close();
