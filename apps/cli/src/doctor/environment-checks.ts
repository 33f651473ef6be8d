import { access, constants, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, randomId } from '@grove/core';
import { locateGitDir } from '@grove/history';
import { type Check, note, ok, problem, type VaultSubject } from './finding.ts';

const NODE_MAJOR = 24;

/** The Node that runs this, which `bin/grove` takes from the workspace. */
export const nodeVersion: Check = {
  name: 'Node.js',
  run: async () => {
    const major = Number(process.versions.node.split('.')[0]);
    return major >= NODE_MAJOR
      ? ok(process.version)
      : problem(
          `${process.version} is too old; Grove runs on ${NODE_MAJOR}`,
          'Start Grove with bin/grove or "npx -y pnpm@12.4.2 start", which bring their own Node.js.',
        );
  },
};

/** What clients start. */
export const command: Check = {
  name: 'Command',
  run: async ({ run }) => {
    try {
      await access(run.command, constants.X_OK);
      return ok(run.command);
    } catch (error) {
      return problem(
        `${run.command} cannot be run (${errorCode(error) ?? 'unknown'})`,
        `Make it executable: chmod +x '${run.command}'`,
      );
    }
  },
};

/** The compiled module: search and parsing stand on it. */
export const nativeModule: Check = {
  name: 'Native module',
  run: async () => {
    await import('@grove/native');
    return ok(`loads on ${process.platform}-${process.arch}`);
  },
};

/** Whether state can be kept. */
export const dataFolder: Check = {
  name: 'Data folder',
  run: async ({ dataDir }) => {
    const probe = join(dataDir, `.${randomId()}.tmp`);
    try {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await writeFile(probe, 'probe');
      await rm(probe);
      return ok(dataDir);
    } catch (error) {
      return problem(
        `${dataDir} cannot be written (${errorCode(error) ?? 'unknown'})`,
        'Give yourself the right to write there, or name another folder with --data DIR or GROVE_DATA.',
      );
    }
  },
};

/** Whether the notes can be read. */
export const vaultFolder: Check<VaultSubject> = {
  name: 'Vault folder',
  run: async ({ vault }) => {
    try {
      await access(vault.root, constants.R_OK | constants.X_OK);
      return ok(`${vault.root} (${(await readdir(vault.root)).length} entries)`);
    } catch (error) {
      return problem(
        `${vault.root} cannot be read (${errorCode(error) ?? 'unknown'})`,
        'Check that the folder exists, that its disk is mounted and that you may read it.',
      );
    }
  },
};

/** Where history is kept. */
export const gitFolder: Check<VaultSubject> = {
  name: 'Git history',
  run: async ({ vault }) => {
    const location = await locateGitDir(vault.root);
    if (location !== null) return ok(location.gitDir);
    return note(`the folder is no git repository; Grove keeps its history in ${join(vault.stateDir, 'git')}`);
  },
};
