import type { Connection } from './connection.ts';

/** A program that can use a vault, and what a person pastes into it. */
export interface Client {
  /** What `grove connect` knows it by. */
  readonly id: string;
  readonly title: string;
  /** `key`: it sends a key to the running server. `command`: it starts `grove stdio`, which needs none. */
  readonly by: 'key' | 'command';
  /** Where the text goes: a file, a terminal, a form. */
  readonly where: string;
  /** What else to know, in one sentence. */
  readonly aside?: string;
  /** The text for all of these vaults together. */
  text(connections: readonly Connection[]): string;
}
