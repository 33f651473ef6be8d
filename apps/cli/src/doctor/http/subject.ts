import type { HttpAddress } from '@grove/server';
import type { Finding } from '../finding.ts';

/** A server that runs, as the checks over HTTP see it. */
export interface ServerSubject {
  /** Where this machine reaches it, without a trailing slash. */
  readonly url: string;
  readonly publicUrl: string | null;
  readonly pid: number;
  /** What the server says now of proxies in front of it; null when it says nothing. */
  proxies(): Promise<NonNullable<HttpAddress['proxies']> | null>;
  /** Null when no key could be made. */
  readonly keys: PassingKeys | null;
  /** Version of this Grove. */
  readonly version: string;
}

/** Keys of two minutes, removed when the checks are done. */
export interface PassingKeys {
  /** Reads the vault. */
  readonly reading: string;
  /** Opens the vault and sees none of its notes: what another server could learn from it is nothing. */
  readonly blind: string;
  /** Lets itself in by OAuth, as the guest of a trail that shows nothing. */
  readonly guest: PassingGuest;
}

/** A static client, and the token of a trail; both removed when the checks are done. */
export interface PassingGuest {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly trailToken: string;
}

/** One thing that is looked at over HTTP. */
export interface ServerCheck {
  readonly name: string;
  run(server: ServerSubject): Promise<Omit<Finding, 'check'>>;
}
