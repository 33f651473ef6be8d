import { z } from 'zod';
import { anyObject } from './any-object.ts';
import { LONGEST_NAME } from './bounded-text.ts';
import type { NarrowSchema } from './narrow-schema.ts';
import { narrowSchema } from './narrow-schema.ts';
import { asFlag, asItems, asObject, asObjects, asText, asWhole } from './widen.ts';

/**
 * One parameter, described once: what is advertised and what is accepted come from the same `strict` type, so they
 * cannot drift. `widen` turns what clients send instead (JSON text, a string for a list, numbers as text) into what
 * `strict` judges.
 */
export interface Parameter<T> {
  readonly strict: z.ZodType;
  readonly widen: (value: unknown) => unknown;
  readonly description: string;
  readonly required: boolean;
  /** What an absent parameter means. */
  readonly absent: T;
  /** Advertised as the default when it is not null or empty. */
  readonly advertised: NarrowSchema;
  /** Completes "takes …" in an error. */
  readonly expects: string;
  /** Names that callers try instead, for "did you mean". */
  readonly guesses: readonly string[];
  /** True for a text that may be empty: `''` is then no absent one. */
  readonly keepsEmpty: boolean;
  /** False for what is taken though a model need not hear of it: the list of tools has room for little. */
  readonly isAdvertised: boolean;
}

/** Every parameter of an operation, by name, in the order in which they are advertised. */
export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

/** What an operation receives: every parameter is there, absent ones as null, false, empty or their default. */
export type InputOf<Table extends ParameterTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer T> ? T : never;
};

interface Wording {
  readonly guesses?: readonly string[];
  readonly isAdvertised?: boolean;
}

interface Kind<T> {
  readonly strict: z.ZodType;
  readonly widen: (value: unknown) => unknown;
  readonly expects: string;
  readonly absent: T;
  readonly required?: boolean;
  readonly shown?: unknown;
  readonly keepsEmpty?: boolean;
}

const SHORT_TEXT = `a text of at most ${LONGEST_NAME.toLocaleString('en')} characters`;

function parameter<T>(description: string, kind: Kind<T>, wording: Wording): Parameter<T> {
  let advertised: NarrowSchema | null = null;
  return {
    strict: kind.strict,
    widen: kind.widen,
    description,
    required: kind.required ?? false,
    absent: kind.absent,
    // Made when tools are listed: for each call of the command line, and each start, it would take longer than all else.
    get advertised() {
      advertised ??= {
        ...narrowSchema(kind.strict),
        ...(description === '' ? {} : { description }),
        ...(kind.shown === undefined ? {} : { default: kind.shown }),
      };
      return advertised;
    },
    expects: kind.expects,
    guesses: wording.guesses ?? [],
    keepsEmpty: kind.keepsEmpty ?? false,
    isAdvertised: wording.isAdvertised ?? true,
  };
}

/** A text that names something; numbers and booleans are taken as they are written. */
export function text(description: string, wording: Wording = {}): Parameter<string | null> {
  const kind: Kind<string | null> = {
    strict: z.string().max(LONGEST_NAME),
    widen: asText,
    expects: SHORT_TEXT,
    absent: null,
  };
  return parameter(description, kind, wording);
}

/** A text of any length: who takes it bounds what is done with it. */
export function prose(description: string, wording: Wording = {}): Parameter<string | null> {
  const kind: Kind<string | null> = { strict: z.string(), widen: asText, expects: 'a text', absent: null };
  return parameter(description, kind, wording);
}

/** A text that goes into a note as it is: of any length, also empty, and refused rather than mended. */
export function content(description: string, wording: Wording = {}): Parameter<string | null> {
  const kind: Kind<string | null> = {
    strict: z.string().refine((value) => value.isWellFormed() && !value.includes('\0')),
    widen: (value) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
    expects: 'a text of whole Unicode characters without NUL',
    absent: null,
    keepsEmpty: true,
  };
  return parameter(description, kind, wording);
}

/** The name of something that may be made: refused rather than mended when it is no valid Unicode. */
export function newName(description: string, wording: Wording = {}): Parameter<string | null> {
  const kind: Kind<string | null> = {
    strict: z
      .string()
      .max(LONGEST_NAME)
      .refine((value) => value.isWellFormed()),
    widen: (value) => (typeof value === 'number' ? String(value) : value),
    expects: `${SHORT_TEXT}, in valid Unicode`,
    absent: null,
  };
  return parameter(description, kind, wording);
}

/** A text that names something and must be there. */
export function requiredText(description: string, wording: Wording = {}): Parameter<string> {
  const kind: Kind<string> = {
    strict: z.string().max(LONGEST_NAME),
    widen: asText,
    expects: SHORT_TEXT,
    absent: '',
    required: true,
  };
  return parameter(description, kind, wording);
}

/** One of a few words, in any case. */
export function choice<const Word extends string>(
  words: readonly [Word, ...Word[]],
  description: string,
  wording: Wording = {},
): Parameter<Word> {
  const kind: Kind<Word> = {
    strict: z.enum(words),
    widen: (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    expects: `one of ${words.join(', ')}`,
    absent: words[0],
    shown: words[0],
  };
  return parameter(description, kind, wording);
}

/** A whole number in a range, with what an absent one means. */
export function whole<Absent extends number | null>(
  range: { readonly min: number; readonly max: number; readonly absent: Absent },
  description: string,
  wording: Wording = {},
): Parameter<number | Absent> {
  const kind: Kind<number | Absent> = {
    strict: z.int().min(range.min).max(range.max),
    widen: asWhole,
    expects: `a whole number from ${range.min} to ${range.max}`,
    absent: range.absent,
    ...(range.absent === null || range.absent === 0 ? {} : { shown: range.absent }),
  };
  return parameter(description, kind, wording);
}

/** Yes or no. */
export function flag(absent: boolean, description: string, wording: Wording = {}): Parameter<boolean> {
  const kind: Kind<boolean> = {
    strict: z.boolean(),
    widen: asFlag,
    expects: 'true or false',
    absent,
    ...(absent ? { shown: true } : {}),
  };
  return parameter(description, kind, wording);
}

/** Yes, no, or not said. */
export function maybeFlag(description: string, wording: Wording = {}): Parameter<boolean | null> {
  const kind: Kind<boolean | null> = {
    strict: z.boolean(),
    widen: asFlag,
    expects: 'true or false',
    absent: null,
  };
  return parameter(description, kind, wording);
}

interface TextsOptions {
  readonly commas: boolean;
  readonly max: number;
  readonly required?: boolean;
  /** Of one text, in UTF-16 units. */
  readonly longest?: number;
}

/** A list of texts; one text stands for a list of one, and with `commas` for as many as its commas part. */
export function texts(
  options: TextsOptions,
  description: string,
  wording: Wording = {},
): Parameter<readonly string[]> {
  const kind: Kind<readonly string[]> = {
    strict: z.array(z.string().max(options.longest ?? LONGEST_NAME)).max(options.max),
    widen: (value) => asItems(value, options.commas),
    expects: `a list of at most ${options.max} texts`,
    absent: [],
    required: options.required ?? false,
  };
  return parameter(description, kind, wording);
}

/** A list of a few words, in any case. */
export function choices<const Word extends string>(
  words: readonly [Word, ...Word[]],
  description: string,
  wording: Wording = {},
): Parameter<readonly Word[]> {
  const lower = (item: unknown): unknown => (typeof item === 'string' ? item.toLowerCase() : item);
  const kind: Kind<readonly Word[]> = {
    strict: z.array(z.enum(words)),
    widen: (value) => {
      const items = asItems(value, true);
      return Array.isArray(items) ? items.map(lower) : items;
    },
    expects: `a list of ${words.join(', ')}`,
    absent: [],
  };
  return parameter(description, kind, wording);
}

interface ObjectWording extends Wording {
  readonly widen?: (value: unknown) => unknown;
  readonly expects?: string;
}

/** An object, or its JSON text; `widen` reads other forms of text. */
export function object(
  description: string,
  { widen = asObject, expects = 'an object, or its JSON text', ...wording }: ObjectWording = {},
): Parameter<Readonly<Record<string, unknown>> | null> {
  const kind: Kind<Readonly<Record<string, unknown>> | null> = {
    strict: anyObject,
    widen,
    expects,
    absent: null,
  };
  return parameter(description, kind, wording);
}

/** A list of objects of one shape, or its JSON text; one object stands for a list of one. */
export function objects<Shape extends z.ZodType>(
  shape: Shape,
  options: { readonly max: number; readonly expects: string },
  description: string,
  wording: Wording = {},
): Parameter<readonly z.output<Shape>[]> {
  const kind: Kind<readonly z.output<Shape>[]> = {
    strict: z.array(shape).max(options.max),
    widen: asObjects,
    expects: `a list of at most ${options.max} ${options.expects}`,
    absent: [],
  };
  return parameter(description, kind, wording);
}
