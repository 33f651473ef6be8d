import { Command } from 'commander';

/**
 * The command of a verb, for which text that only begins with `-` is text: a list item to append, a note of such a
 * name, a word to search without. What has the form of an option is one, known or not, so that a slip is not written
 * into a note. Behind `--` everything is text.
 *
 * @example grove append today "- watered" --timestamp
 */
export class VerbCommand extends Command {
  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    return super.parseOptions(this.commands.length > 0 ? args : this.#optionsFirst(args));
  }

  /** The options with their values, then `--` and all the rest in order. */
  #optionsFirst(args: readonly string[]): string[] {
    const options: string[] = [];
    const texts: string[] = [];
    for (let at = 0; at < args.length; at += 1) {
      const argument = args[at] ?? '';
      if (argument === '--') {
        texts.push(...args.slice(at + 1));
        break;
      }
      const option = this.options.find(({ long, short }) => argument === long || argument === short);
      if (option === undefined && !hasFormOfOption(argument)) {
        texts.push(argument);
        continue;
      }
      options.push(argument);
      const value = args[at + 1];
      if (value === undefined) continue;
      const takes = option?.required === true || (option?.optional === true && !hasFormOfOption(value));
      if (!takes) continue;
      options.push(value);
      at += 1;
    }
    return [...options, '--', ...texts];
  }
}

/** `-h`, `--limit`, `--limit=3`; not `- item`, `---`, `-5` or `-Idea.md`. */
function hasFormOfOption(argument: string): boolean {
  return /^-[a-z]$/i.test(argument) || /^--[a-z][a-z-]*(?:=.*)?$/is.test(argument);
}
