import type { InputOf, ParameterTable } from '../parameters/parameter.ts';

/** What an argument names, where names of the vault can complete it. */
export type Completed = 'name' | 'note' | 'place' | 'folder' | 'tag' | 'type' | 'form';

/** What may be done with notes by whom a prompt is for; `unknown` where nobody has asked yet. */
export type MayWrite = 'read' | 'add' | 'write' | 'unknown';

/** A sentence about the vault that a prompt can use. */
export type Fact = 'links' | 'types' | 'folders' | 'journal';

/** How a new note begins; words in capitals are to be filled in. */
export interface NewNote {
  readonly path: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** A note to follow, such as a template; null where none is known. */
  readonly example: string | null;
}

/** What is known where a prompt is made: of one caller's View, or nothing yet in a skill file. */
export interface Ground {
  readonly may: MayWrite;
  /** How a new note begins, of a type and in a folder where these were said. */
  newNote(type: string | null, folder: string | null): NewNote;
  /** What a name stands for, with its path; null where that cannot be said. */
  placeOf(name: string): { readonly kind: 'note' | 'folder'; readonly path: string } | null;
}

/**
 * One way to tend a vault, told to a model: what to do, in calls of the six tools. The same description makes the
 * prompt over MCP and the skill file.
 */
export interface PromptDescription<Table extends ParameterTable> {
  readonly name: string;
  readonly title: string;
  /** What it does, in one sentence; with `useWhen` the description of the skill. */
  readonly description: string;
  readonly useWhen: string;
  readonly parameters: Table;
  /** What completes each argument. */
  readonly completes: { readonly [Name in keyof Table]?: Completed };
  /** What stands in a skill for an argument that must be there: the model puts in what it was asked for. */
  readonly standIns: { readonly [Name in keyof Table]?: string };
  /** What a prompt says about the vault, where it is known. */
  readonly facts: readonly Fact[];
  /** Whether its last steps propose to write. */
  readonly proposes: boolean;
  /** The first sentence. */
  goal(asked: InputOf<Table>): string;
  /** What to do, in order; null for a step that this vault, or this version, has no use for. */
  steps(asked: InputOf<Table>, ground: Ground): readonly (string | null)[];
}

/** A prompt whose arguments the caller does not need to know. */
// biome-ignore lint/suspicious/noExplicitAny: arguments are read by the same table that describes them.
export type GardenPrompt = PromptDescription<any>;
