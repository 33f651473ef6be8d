import { GroveError } from '@grove/core';
import type { View } from '@grove/vault';
import type { Caller } from '../../http/caller.ts';
import type { AppOptions } from '../../http/options.ts';
import type { CallWatch } from '../context.ts';
import type { McpProfile, McpServerFactory } from '../factory.ts';
import { ViewChanges } from '../resources/view-changes.ts';
import { Sessions } from './sessions.ts';
import { McpSite } from './site.ts';

/** What MCP over HTTP stands on. */
export type McpSitesOptions = AppOptions & {
  readonly createMcp: McpServerFactory;
  /** Who watches the calls of a caller. */
  watch(caller: Caller): CallWatch;
};

const PROFILES: readonly McpProfile[] = ['notes', 'search'];

/** One site a token and profile; a site ends with its token. */
export class McpSites {
  readonly sessions: Sessions;
  readonly #options: McpSitesOptions;
  readonly #sites = new Map<string, McpSite>();
  /** Callers with equal rules hold the same View, and are told from one source. */
  readonly #changes = new WeakMap<View, ViewChanges>();
  readonly #stopListening: () => void;
  #isStopping = false;

  constructor(options: McpSitesOptions) {
    this.#options = options;
    this.sessions = new Sessions(options);
    this.#stopListening = options.control.credentials.onEnded((credential) => this.#endOf(credential));
  }

  /**
   * Throws when nothing may begin, or go on, for this token.
   *
   * @throws GroveError `stopping`, `key_invalid`, `keys_unavailable`
   */
  check({ credential }: Caller): void {
    if (this.#isStopping) throw new GroveError('stopping');
    // The request may have taken its time to arrive after its key was looked at.
    if (!this.#isLive(credential)) throw new GroveError('key_invalid');
  }

  of(caller: Caller, profile: McpProfile): McpSite {
    const name = siteName(caller.credential, profile);
    let site = this.#sites.get(name);
    if (site === undefined) {
      site = new McpSite(caller, profile, {
        ...this.#options,
        sessions: this.sessions,
        changes: this.#changesOf(caller),
        calls: this.#options.watch(caller),
      });
      this.#sites.set(name, site);
    }
    return site;
  }

  /** Begins nothing new from now on and ends the streams that changes are told on; calls go on. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    // Who asks a person would keep the server from ending.
    for (const { writes } of this.#options.vaults) writes.confirmations.clear('Grove was stopped meanwhile');
    this.sessions.endStreams();
    await Promise.all([...this.#sites.values()].map((site) => site.endStreams()));
  }

  /** Ends every stream and whatever is still being answered. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    this.sessions.close();
    await Promise.all([...this.#sites.values()].map((site) => site.end()));
    this.#sites.clear();
  }

  #isLive(credential: string): boolean {
    try {
      return this.#options.control.credentials.isLive(credential);
    } catch (cause) {
      throw new GroveError('keys_unavailable', {}, { cause });
    }
  }

  #changesOf({ scope }: Caller): ViewChanges {
    let changes = this.#changes.get(scope.view);
    if (changes === undefined) {
      changes = new ViewChanges(scope);
      this.#changes.set(scope.view, changes);
    }
    return changes;
  }

  #endOf(credential: string): void {
    for (const profile of PROFILES) {
      const name = siteName(credential, profile);
      void this.#sites.get(name)?.end();
      this.#sites.delete(name);
    }
  }
}

function siteName(credential: string, profile: McpProfile): string {
  return `${credential} ${profile}`;
}
