import type { UpstreamProvider } from '@grove/access';
import * as z from 'zod';

/** A place elsewhere at which the owner may sign in, as the settings have it. */
export interface UpstreamSetting {
  readonly provider: UpstreamProvider;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where it is; its own addresses unless a test stands in for it. */
  readonly origin?: string;
}

/** What is known of a place. */
export interface UpstreamPlace {
  readonly title: string;
  readonly authorize: string;
  readonly token: string;
  /** Answers who the account is. */
  readonly account: string;
  readonly scope: readonly string[];
  /** The account's id there, which stays when its names and addresses change; null where there is none. */
  subjectOf(account: unknown): string | null;
}

const githubAccount = z.object({ id: z.int().positive() });
const googleAccount = z.object({ sub: z.string().regex(/^\d{1,64}$/) });

/** https://docs.github.com/en/apps/oauth-apps, https://developers.google.com/identity/openid-connect/openid-connect */
const PLACES: Readonly<Record<UpstreamProvider, UpstreamPlace>> = {
  github: {
    title: 'GitHub',
    authorize: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    account: 'https://api.github.com/user',
    scope: [],
    subjectOf: (account) => {
      const parsed = githubAccount.safeParse(account);
      return parsed.success ? String(parsed.data.id) : null;
    },
  },
  google: {
    title: 'Google',
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    account: 'https://openidconnect.googleapis.com/v1/userinfo',
    scope: ['openid'],
    subjectOf: (account) => {
      const parsed = googleAccount.safeParse(account);
      return parsed.success ? parsed.data.sub : null;
    },
  },
};

/** The place of a setting. */
export function placeOf({ provider, origin }: UpstreamSetting): UpstreamPlace {
  const place = PLACES[provider];
  if (origin === undefined) return place;
  const moved = (address: string): string => `${origin}${new URL(address).pathname}`;
  return {
    ...place,
    authorize: moved(place.authorize),
    token: moved(place.token),
    account: moved(place.account),
  };
}
