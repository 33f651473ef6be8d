import { GroveError, isGroveError } from '@grove/core';
import * as z from 'zod';
import { commaList } from '../comma-list.ts';

// The kinds of values that settings have. Each takes a text, a list also the texts that a file has as a list; absent is
// undefined. A message goes on from the name that the value was given by.

/** Reads a text, and throws `bad_input` that begins with the name it is given. */
type Parser<Value> = (text: string, name: string) => Value;

/** Stands for the name of a setting while a parser reads its value. */
const NAME = 'SETTING';

/** A text, without blanks around it; blanks alone are none. */
export const text = () =>
  z
    .string()
    .transform((given) => given.trim() || null)
    .nullable()
    .default(null);

/** What a parser makes of a text. */
export const parsed = <Value>(parse: Parser<Value>) =>
  z.string().transform((given, context) => byParser(() => parse(given.trim(), NAME), context));

/** On or off. */
export const onOff = () =>
  inLowerCase(
    z
      .enum(['0', '1', 'true', 'false', 'yes', 'no', 'on', 'off'], {
        error: 'is neither on (1, true, yes) nor off (0, false, no)',
      })
      .transform((word) => ['1', 'true', 'yes', 'on'].includes(word)),
  ).default(false);

/** One of these words, in any case. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  inLowerCase(z.enum(words, { error: `is none of ${words.join(', ')}` }));

/** A whole number; `unit` is what it counts. */
export const wholeNumber = (least: number, most: number, unit: string, remark = '') =>
  parsed((word, name) => {
    const count = Number(word);
    if (/^\d{1,7}$/.test(word) && count >= least && count <= most) return count;
    throw refused(`${name} is no whole number${unit} from ${least} to ${most}${remark}`);
  });

/** Entries with commas between them, each read by a parser. */
export const list = (parse: Parser<string> = (entry) => entry) =>
  entries((given) => given.map((entry) => parse(entry, NAME)));

/** Folders and globs inside a vault. A list of nothing would limit nothing. */
export const paths = () =>
  entries((given) => {
    if (given.length > 0 && !given.includes('')) return given;
    throw refused(`${NAME} names no folder; leave it out to set no limit`);
  });

function entries(read: (given: readonly string[]) => readonly string[]) {
  return z
    .union([z.string().transform(commaList), z.array(z.string().trim())])
    .transform((given, context) => byParser(() => read(given), context))
    .default([]);
}

function inLowerCase<Schema extends z.ZodType<unknown, string>>(schema: Schema) {
  return z.string().trim().toLowerCase().pipe(schema);
}

function byParser<Value>(parse: () => Value, context: z.RefinementCtx): Value {
  try {
    return parse();
  } catch (error) {
    if (!isGroveError(error, 'bad_input')) throw error;
    context.addIssue({ code: 'custom', message: String(error.data.reason).replace(`${NAME} `, '') });
    return z.NEVER;
  }
}

function refused(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
