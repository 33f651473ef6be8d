import { locateGitDir } from '../../repository/locate.ts';
import { fetchRemote } from '../remote.ts';

const [root = '', url = ''] = process.argv.slice(2);
const location = (await locateGitDir(root))!;
await fetchRemote({ location, url, name: 'origin', branch: 'main', token: null });
