import { GroveError } from '@grove/core';
import type { UpstreamSetting } from '@grove/server';
import { type Called, isSet, type SecretWords, secretWords } from './secrets.ts';
import type { Values } from './table.ts';

/** What is set of one place at which the owner may sign in. */
export interface UpstreamWords {
  readonly provider: UpstreamSetting['provider'];
  readonly clientId: string;
  readonly secret: SecretWords;
}

/**
 * The places elsewhere that are set.
 *
 * @throws GroveError `bad_input` for an id without a secret and the other way round, and for a secret that is said twice
 */
export function upstreamWords(values: Values, called: Called): readonly UpstreamWords[] {
  return (['github', 'google'] as const).flatMap((provider) => {
    const [idName, secretName] = [`${provider}ClientId`, `${provider}ClientSecret`] as const;
    const [clientId, secret] = [values[idName], secretWords(values, secretName, called)];
    if (clientId === null && !isSet(secret)) return [];
    if (clientId === null) throw refused(`${called(secretName)} says nothing without ${called(idName)}`);
    if (!isSet(secret))
      throw refused(`${called(idName)} needs ${called(secretName)} or ${called(`${secretName}File`)}`);
    return [{ provider, clientId, secret }];
  });
}

function refused(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
