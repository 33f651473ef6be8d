import type { Settings } from './settings/settings.ts';

/** One run of the command line: everything that comes from the process, so that verbs can be run in tests. */
export interface Run {
  /** Read before the action of a verb begins, with its flags. */
  readonly settings: Settings;
  /** The folder that relative names start from. */
  readonly from: string;
  /** Absolute path of the `grove` command, for client configurations and links. */
  readonly command: string;
  /** Absolute path of the program that `command` runs with Node. */
  readonly main: string;
  /** The environment, for the processes that this one starts. */
  readonly environment: Readonly<Record<string, string>>;
  readonly version: string;
  /** The PATH of the environment. */
  readonly path: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Ends when the process is asked to stop. */
  readonly stop: AbortSignal;
}

/** Options that every verb takes. */
export interface CommonOptions {
  /** As often as it was named. */
  readonly vault: readonly string[];
  readonly data?: string;
  readonly config?: string;
  readonly json?: boolean;
}
