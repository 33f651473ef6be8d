import { GroveError } from '@grove/core';
import type { CommanderError } from 'commander';

/**
 * A command line that cannot be understood, as an error like all others: for programs, which read JSON.
 *
 * @param verb what the command line names
 */
export function usageError({ code, message }: CommanderError, verb: string | null): GroveError {
  // Help is shown where a verb has parts and none is named.
  const said = code === 'commander.help' ? 'a part of the command is missing' : message;
  const reason = said
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/\.$/, '');
  return new GroveError(
    'bad_input',
    { reason },
    { hint: `See ${verb === null ? 'grove' : `grove ${verb}`} --help.` },
  );
}
