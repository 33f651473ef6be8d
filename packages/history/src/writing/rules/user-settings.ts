import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where git keeps what counts for all repositories of a machine and of a user. Absolute paths. */
export interface UserSettings {
  /** Configuration files, the weakest first. */
  readonly configs: readonly string[];
  /** Attributes of the machine (`/etc/gitattributes`), or null. */
  readonly attributes: string | null;
  /** The folder of git's own files of a user: `ignore` and `attributes` in it count unless configured. */
  readonly folder: string | null;
  /** What `~/` in a path means, or null. */
  readonly home: string | null;
}

/** No settings beyond the repository's own. */
export const NO_USER_SETTINGS: UserSettings = { configs: [], attributes: null, folder: null, home: null };

/**
 * Where a git that is installed the usual way looks (git-config, "FILES"). `configHome` is `XDG_CONFIG_HOME`
 * where it is set.
 *
 * @example userSettings().configs // ['/etc/gitconfig', '/home/ada/.config/git/config', '/home/ada/.gitconfig']
 */
export function userSettings(configHome: string | null = null): UserSettings {
  const home = homedir();
  const folder = join(configHome ?? join(home, '.config'), 'git');
  const machine = process.platform === 'win32' ? 'C:\\Program Files\\Git\\etc' : '/etc';
  // Homebrew's git has a folder of its own for the machine's settings.
  const brewed = process.platform === 'darwin' ? ['/usr/local/etc', '/opt/homebrew/etc'] : [];
  return {
    configs: [
      ...[machine, ...brewed].map((path) => join(path, 'gitconfig')),
      join(folder, 'config'),
      join(home, '.gitconfig'),
    ],
    attributes: join(machine, 'gitattributes'),
    folder,
    home,
  };
}
