import type { Command } from 'commander';

/**
 * A part of a verb, such as `grove keys create`: with the options of the verb, and help of its own.
 *
 * @example subcommand(command, 'create', 'make a key; it is shown once')
 */
export function subcommand(command: Command, name: string, summary: string): Command {
  return command
    .command(name)
    .description(summary)
    .configureHelp({ ...command.configureHelp(), showGlobalOptions: true })
    .showHelpAfterError(`(see grove ${command.name()} ${name} --help)`)
    .exitOverride();
}
