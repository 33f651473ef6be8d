import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, GroveError } from '@grove/core';
import { restoreNotes } from '@grove/history';
import { tieVault } from '@grove/vault';
import type { Command } from 'commander';
import { holdVault } from '../backups/hold-vaults.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
import { type KnownVault, knownVaults, meantVaults } from '../vaults/known-vaults.ts';
import { dataDirOf, namedVault } from '../vaults/vault-of-run.ts';

interface FolderOptions extends CommonOptions {
  readonly restoreNotes?: true;
}

/** `grove vault folder DIR` */
export function vaultFolder(command: Command, run: Run): void {
  command
    .argument('<dir>', 'the folder, as it is now')
    .option(
      '--restore-notes',
      'write all notes into it first, as they were in the last commit of the history that Grove keeps; it must be empty',
    )
    .action(async (dir: string, _options: unknown, own: Command) => {
      const options = own.optsWithGlobals<FolderOptions>();
      const dataDir = dataDirOf(run, options);
      const vault = await knownVault(dataDir, run.from, namedVault(run, options));
      const ownership = await holdVault(dataDir, vault);
      try {
        const folder = resolve(run.from, dir);
        const commit = options.restoreNotes === true ? await writeNotes(run, dataDir, vault, folder) : null;
        const root = await tieVault(dataDir, vault.slug, folder);
        if (options.json === true)
          printJson(run, {
            slug: vault.slug,
            folder: root,
            ...(commit === null ? {} : { restored: commit }),
          });
        else
          run.stdout.write(
            withoutControls(
              `${commit === null ? '' : `Wrote the notes of commit ${commit.slice(0, 10)}. `}The folder of ${vault.slug} is ${root}.\n`,
            ),
          );
      } finally {
        await ownership.release();
      }
    });
}

/** The vault that is named, else the only one; its folder may be gone. */
async function knownVault(dataDir: string, from: string, named: string | null): Promise<KnownVault> {
  const known = named === null ? await meantVaults(dataDir) : await knownVaults(dataDir);
  const meant =
    named === null
      ? known
      : known.filter(({ slug, root }) => slug === named.toLowerCase() || root === resolve(from, named));
  const [only, ...others] = meant;
  if (only === undefined && named === null) throw new GroveError('vault_none');
  const slugs = known.map(({ slug }) => slug).join(', ');
  if (only === undefined || others.length > 0)
    throw new GroveError('vault_required', { known: slugs }, { hint: `Name one with --vault: ${slugs}.` });
  return only;
}

async function writeNotes(run: Run, dataDir: string, { slug }: KnownVault, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw refused('there are files in the folder', 'Name a folder that is empty or not there yet.');
  const view = progressView(run.stderr);
  try {
    const commit = await restoreNotes(join(dataDir, 'vaults', slug, 'git'), folder, (done, total) =>
      view.show({ phase: 'writing notes', done, total }),
    );
    if (commit !== null) return commit;
  } catch (error) {
    if (errorCode(error) !== 'repository_unreadable') throw error;
  } finally {
    view.stop();
  }
  throw refused(
    'Grove keeps no history of this vault in its data folder',
    'Bring the notes back from your own backup or from the remote, then run this without --restore-notes.',
  );
}

function refused(reason: string, hint: string): GroveError {
  return new GroveError('restore_refused', { reason }, { hint });
}
