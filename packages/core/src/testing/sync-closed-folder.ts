// Run by a test: as a user who may not open the folder (root gives its rights up first), syncs it in both forms.
import { syncFolder, syncFolderNow } from '../sync-folder.ts';

const [folder = ''] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  const nobody = 65_534;
  process.setgroups?.([]);
  process.setgid?.(nobody);
  process.setuid?.(nobody);
}
await syncFolder(folder);
syncFolderNow(folder);
process.stdout.write('passed over');
