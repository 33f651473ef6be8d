import type { UpstreamSetting } from '@grove/server';
import type { Run } from '../run.ts';
import { readSecret } from '../settings/read-secret.ts';
import type { UpstreamWords } from '../settings/upstream-settings.ts';

/**
 * The places elsewhere at which the owner may sign in, with the secrets that are in files.
 *
 * @throws GroveError `bad_input` for a file that cannot be read or holds nothing
 */
export async function readUpstreams(
  run: Run,
  upstreams: readonly UpstreamWords[],
): Promise<readonly UpstreamSetting[]> {
  return await Promise.all(
    upstreams.map(async ({ provider, clientId, secret }) => ({
      provider,
      clientId,
      clientSecret: readSecret(run, secret) ?? '',
    })),
  );
}
