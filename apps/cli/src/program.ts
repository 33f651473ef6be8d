import { Command, Help, Option } from 'commander';
import { answersJson } from './failure.ts';
import type { Run } from './run.ts';
import { VerbCommand } from './verb-command.ts';
import type { VerbName } from './verb-names.ts';
import { collect } from './verbs/option-values.ts';

/** A verb adds its description, arguments, options and action to its command. */
type Verb = (command: Command, run: Run) => void;

/**
 * Each verb with what loads it: only the verb that is asked for is loaded, so that help and the short commands do
 * not wait for the whole of Grove.
 */
const VERBS: Readonly<Record<VerbName, { readonly summary: string; load(): Promise<Verb> }>> = {
  start: {
    summary: 'open a vault, index it, serve it and show how to connect',
    load: async () => (await import('./verbs/start.ts')).startVerb,
  },
  stdio: {
    summary: 'serve MCP on stdin and stdout',
    load: async () => (await import('./verbs/stdio.ts')).stdioVerb,
  },
  connect: {
    summary: 'show how to connect a client',
    load: async () => (await import('./verbs/connect.ts')).connectVerb,
  },
  keys: {
    summary: 'make, list and revoke keys',
    load: async () => (await import('./verbs/keys.ts')).keysVerb,
  },
  trails: {
    summary: 'share a part of a vault, and see what is shared',
    load: async () => (await import('./verbs/trails.ts')).trailsVerb,
  },
  grants: {
    summary: 'list and revoke what OAuth clients were let in to',
    load: async () => (await import('./verbs/grants.ts')).grantsVerb,
  },
  clients: {
    summary: 'make OAuth clients with a secret',
    load: async () => (await import('./verbs/clients.ts')).clientsVerb,
  },
  audit: {
    summary: 'see who called what',
    load: async () => (await import('./verbs/audit.ts')).auditVerb,
  },
  passphrase: {
    summary: 'set what the owner signs in with',
    load: async () => (await import('./verbs/passphrase.ts')).passphraseVerb,
  },
  search: {
    summary: 'search the notes',
    load: async () => (await import('./verbs/search.ts')).searchVerb,
  },
  get: { summary: 'read a note', load: async () => (await import('./verbs/get.ts')).getVerb },
  list: {
    summary: 'list notes, folders, tags or types',
    load: async () => (await import('./verbs/list.ts')).listVerb,
  },
  status: {
    summary: 'health of the vault and its index',
    load: async () => (await import('./verbs/status.ts')).statusVerb,
  },
  history: {
    summary: 'commits that changed notes',
    load: async () => (await import('./verbs/history.ts')).historyVerb,
  },
  graph: {
    summary: 'how the notes hang together',
    load: async () => (await import('./verbs/graph.ts')).graphVerb,
  },
  digest: {
    summary: 'how far the notes have come, and what needs a look',
    load: async () => (await import('./verbs/digest.ts')).digestVerb,
  },
  diagnostics: {
    summary: 'what is wrong with the notes, and what mends it',
    load: async () => (await import('./verbs/diagnostics.ts')).diagnosticsVerb,
  },
  write: {
    summary: 'write a whole note',
    load: async () => (await import('./verbs/write.ts')).writeVerb,
  },
  append: {
    summary: 'append to a note',
    load: async () => (await import('./verbs/append.ts')).appendVerb,
  },
  prepend: {
    summary: 'add to the start of a note',
    load: async () => (await import('./verbs/append.ts')).prependVerb,
  },
  replace: {
    summary: 'replace the text of a section',
    load: async () => (await import('./verbs/replace.ts')).replaceVerb,
  },
  edit: {
    summary: 'replace words in a note',
    load: async () => (await import('./verbs/edit.ts')).editVerb,
  },
  tags: {
    summary: 'add and remove tags of a note',
    load: async () => (await import('./verbs/tags.ts')).tagsVerb,
  },
  set: {
    summary: 'set and unset properties of a note',
    load: async () => (await import('./verbs/set.ts')).setVerb,
  },
  revert: {
    summary: 'undo what one key wrote',
    load: async () => (await import('./verbs/revert.ts')).revertVerb,
  },
  discover: {
    summary: 'link names of notes, or take such links back',
    load: async () => (await import('./verbs/discover.ts')).discoverVerb,
  },
  move: { summary: 'move a note', load: async () => (await import('./verbs/move.ts')).moveVerb },
  delete: {
    summary: 'move a note to the trash',
    load: async () => (await import('./verbs/delete.ts')).deleteVerb,
  },
  restore: {
    summary: 'bring a note back',
    load: async () => (await import('./verbs/restore.ts')).restoreVerb,
  },
  trash: {
    summary: 'list deleted notes, or remove them for good',
    load: async () => (await import('./verbs/trash.ts')).trashVerb,
  },
  vault: {
    summary: 'find vaults, switch writing on or off',
    load: async () => (await import('./verbs/vault.ts')).vaultVerb,
  },
  approve: {
    summary: 'say yes or no to deletions that wait',
    load: async () => (await import('./verbs/approve.ts')).approveVerb,
  },
  init: {
    summary: 'propose rules for the notes, as they are kept today',
    load: async () => (await import('./verbs/init.ts')).initVerb,
  },
  reindex: {
    summary: 'build the index anew',
    load: async () => (await import('./verbs/reindex.ts')).reindexVerb,
  },
  sync: {
    summary: 'pull from the git remote and push to it',
    load: async () => (await import('./verbs/sync.ts')).syncVerb,
  },
  conflicts: {
    summary: 'list what both sides of a sync changed, and settle it',
    load: async () => (await import('./verbs/conflicts.ts')).conflictsVerb,
  },
  clone: {
    summary: 'clone a git repository of notes',
    load: async () => (await import('./verbs/clone.ts')).cloneVerb,
  },
  maintain: {
    summary: 'keep the git dir small',
    load: async () => (await import('./verbs/maintain.ts')).maintainVerb,
  },
  backup: {
    summary: 'back up the data folder, or bring it back',
    load: async () => (await import('./verbs/backup.ts')).backupVerb,
  },
  doctor: {
    summary: 'find out what is wrong and how to mend it',
    load: async () => (await import('./verbs/doctor.ts')).doctorVerb,
  },
  link: { summary: 'put grove on the PATH', load: async () => (await import('./verbs/link.ts')).linkVerb },
};

class Program extends Command {
  override createCommand(name?: string): Command {
    return new VerbCommand(name);
  }
}

/** The verb that a command line names; null for none. */
export function verbOf(args: readonly string[]): string | null {
  return args.find((argument) => Object.hasOwn(VERBS, argument)) ?? null;
}

/** The command line: `grove <verb>`. Only the verb that `args` name is filled in. */
export async function buildProgram(run: Run, args: readonly string[]): Promise<Command> {
  const program = new Program('grove')
    .description('Makes a folder of Markdown notes, kept in git, usable from every AI client.')
    .version(run.version)
    .configureHelp({ optionDescription: describeOption })
    .showHelpAfterError('(see grove --help)')
    .configureOutput({
      writeOut: (text) => run.stdout.write(text),
      writeErr: (text) => run.stderr.write(text),
    })
    .exitOverride();
  // For programs it is said as JSON, by whoever runs this.
  if (answersJson(args)) program.configureOutput({ writeErr: () => {}, outputError: () => {} });
  const wanted = verbOf(args);
  for (const [name, verb] of Object.entries(VERBS)) {
    const command = program.command(name).summary(verb.summary).description(verb.summary);
    for (const option of commonOptions(name)) command.addOption(option);
    command.showHelpAfterError(`(see grove ${name} --help)`).exitOverride();
    if (name === wanted) (await verb.load())(command, run);
  }
  return program;
}

/** Every verb takes the same four; where one means nothing it is taken and not shown. */
function commonOptions(verb: string): readonly Option[] {
  const several = verb === 'start' ? '; may repeat' : '';
  const vault = new Option(
    '--vault <dir>',
    `the folder of notes, or the short name of a known vault (GROVE_VAULT)${several}`,
  )
    .argParser(collect)
    .default([]);
  const data = new Option('--data <dir>', "Grove's data folder (GROVE_DATA)");
  const config = new Option('--config <file>', 'a file with settings (GROVE_CONFIG)');
  const json = new Option('--json', 'answer as JSON on one line');
  const ofVaults = [vault, data, config].map((option) => option.hideHelp(verb === 'link'));
  return [...ofVaults, json.hideHelp(verb === 'stdio')];
}

/** As commander says it, without the default of an option that may repeat: nothing. */
function describeOption(this: Help, option: Option): string {
  return Array.isArray(option.defaultValue)
    ? option.description
    : Help.prototype.optionDescription.call(this, option);
}
