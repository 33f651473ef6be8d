import type { Connection } from './connection.ts';
import type { InstallLink } from './install-links.ts';

/** A program that can use a vault, and what a person pastes into it. */
export interface Client {
  /** What `grove connect` knows it by. */
  readonly id: string;
  readonly title: string;
  /**
   * `key`: it sends a key to the running server. `command`: it starts `grove stdio`, which needs none. `sign-in`: it calls
   * from its maker's machines, and is let in on a page of the server.
   */
  readonly by: 'key' | 'command' | 'sign-in';
  /** Where the text goes: a file, a terminal, a form. */
  readonly where: string;
  /** What else to know, in one sentence. */
  readonly aside?: string;
  /** The text for all of these vaults together. */
  text(connections: readonly Connection[]): string;
  /**
   * Links that install one vault, where the client knows any. Links are kept in histories, so that the key is in them
   * only when that is asked for: without it the client leads to the page for signing in.
   */
  links?(connection: Connection, withKey: boolean): readonly InstallLink[];
}
