import { homedir } from 'node:os';
import { join } from 'node:path';

/** The part of an environment that says where a person's folders are. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The home folder. */
export function homeOf(environment: Environment): string {
  return environment.HOME || homedir();
}

/** Where programs keep their settings: XDG, Application Support or AppData. */
export function configFolderOf(environment: Environment, platform: NodeJS.Platform): string {
  const home = homeOf(environment);
  if (platform === 'win32') return environment.APPDATA || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return absolute(environment.XDG_CONFIG_HOME) ?? join(home, '.config');
}

/** Where programs keep their data: XDG, Application Support or LocalAppData. */
export function dataFolderOf(environment: Environment, platform: NodeJS.Platform): string {
  const home = homeOf(environment);
  if (platform === 'win32') return environment.LOCALAPPDATA || join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return absolute(environment.XDG_DATA_HOME) ?? join(home, '.local', 'share');
}

/** https://specifications.freedesktop.org/basedir/latest/: a relative path is invalid and must be ignored. */
function absolute(path: string | undefined): string | null {
  return path?.startsWith('/') === true ? path : null;
}
