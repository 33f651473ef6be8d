import { KEY_SCOPES } from '@grove/access';
import { requiredText, text, texts } from '@grove/service';
import { z } from 'zod';

const RULES = { commas: true, max: 100 } as const;

/** What a key is made from. */
export const newKeyParameters = {
  name: requiredText('What the key is for, such as "Laptop"; unique among the live keys.', {
    guesses: ['label', 'title', 'id'],
  }),
  scopes: texts({ commas: true, max: 8 }, `Some of ${KEY_SCOPES.join(', ')}; read unless told.`, {
    guesses: ['scope', 'permissions', 'rights'],
  }),
  expires: text('90d, 12h, 2w, a day such as 2027-01-31, an ISO time, or never, which is the default.', {
    guesses: ['expiry', 'expires_at', 'expiration', 'ttl'],
  }),
  read_paths: texts(RULES, 'Only these folders or globs may be read; all when absent.', {
    guesses: ['read', 'paths', 'allow_paths'],
  }),
  write_paths: texts(RULES, 'Only these folders or globs may be written; all when absent.', {
    guesses: ['write'],
  }),
  deny_paths: texts(RULES, 'These folders or globs are out of reach, whatever else is said.', {
    guesses: ['deny', 'exclude'],
  }),
} as const;

const moment = z.iso.datetime().nullable();

/** A key as it may be shown, which is what `keyRecord` makes of it: never its secret. */
export const keyOutput = z.object({
  /** Stable, also when the key is rotated. */
  id: z.string(),
  name: z.string(),
  vault: z.string(),
  /** The id of the trail that it is a token of; null for a key of the owner's. */
  trail: z.string().nullable(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  read_paths: z.array(z.string()),
  write_paths: z.array(z.string()),
  deny_paths: z.array(z.string()),
  created_at: z.iso.datetime(),
  expires_at: moment,
  /** To about a minute. */
  last_used_at: moment,
  revoked_at: moment,
  state: z.enum(['live', 'expired', 'revoked']),
  /** The last four characters of the token. */
  ending: z.string(),
});

/** What a list of keys is answered with. */
export const keyListOutput = z.object({ keys: z.array(keyOutput) });

/** The one answer that shows a token. */
export const newKeyOutput = z.object({ key: keyOutput, token: z.string() });
