import type { Caller } from '../../http/caller.ts';
import type { AppOptions } from '../../http/options.ts';
import type { McpProfile, McpServerFactory } from '../factory.ts';
import { McpSite } from './site.ts';

export type McpSitesOptions = AppOptions & { readonly createMcp: McpServerFactory };

/** One site a credential and profile; a site ends with its credential. */
export class McpSites {
  readonly #options: McpSitesOptions;
  readonly #sites = new Map<string, McpSite>();
  readonly #stop: () => void;

  constructor(options: McpSitesOptions) {
    this.#options = options;
    this.#stop = options.control.keys.onEnded((credential) => {
      for (const profile of ['notes', 'search'] as const) {
        const id = `${credential} ${profile}`;
        void this.#sites.get(id)?.close();
        this.#sites.delete(id);
      }
    });
  }

  of(caller: Caller, profile: McpProfile): McpSite {
    const id = `${caller.credential} ${profile}`;
    let site = this.#sites.get(id);
    if (site === undefined) {
      site = new McpSite(caller, profile, this.#options);
      this.#sites.set(id, site);
    }
    return site;
  }

  async close(): Promise<void> {
    this.#stop();
    await Promise.all([...this.#sites.values()].map((site) => site.close()));
    this.#sites.clear();
  }
}
