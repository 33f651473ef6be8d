import { GroveError } from '@grove/core';
import type { UpstreamSetting } from '@grove/server';

/** What is set of one place at which the owner may sign in. */
export interface UpstreamWords {
  readonly provider: UpstreamSetting['provider'];
  readonly clientId: string;
  /** Null where it is in the file. */
  readonly secret: string | null;
  readonly secretFile: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The places elsewhere that are set, by `GROVE_GITHUB_CLIENT_ID` with `GROVE_GITHUB_CLIENT_SECRET` or
 * `GROVE_GITHUB_CLIENT_SECRET_FILE`, and the same with GOOGLE.
 *
 * @throws GroveError `bad_input` for one without the other, and for a secret that is said twice
 * @example parseUpstreams({ GROVE_GITHUB_CLIENT_ID: 'Iv1.x', GROVE_GITHUB_CLIENT_SECRET: 's' })[0].provider // 'github'
 */
export function parseUpstreams(environment: Environment): readonly UpstreamWords[] {
  return (['github', 'google'] as const).flatMap((provider) => {
    const name = `GROVE_${provider.toUpperCase()}_CLIENT`;
    const [clientId, secret, secretFile] = ['ID', 'SECRET', 'SECRET_FILE'].map(
      (end) => environment[`${name}_${end}`]?.trim() || null,
    ) as [string | null, string | null, string | null];
    if (clientId === null && secret === null && secretFile === null) return [];
    if (clientId === null) throw refuse(`${name}_SECRET says nothing without ${name}_ID`);
    if (secret === null && secretFile === null)
      throw refuse(`${name}_ID needs ${name}_SECRET or ${name}_SECRET_FILE`);
    if (secret !== null && secretFile !== null)
      throw refuse(`${name}_SECRET and ${name}_SECRET_FILE are both set; leave one out`);
    return [{ provider, clientId, secret, secretFile }];
  });
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
