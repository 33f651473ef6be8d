import { requiredText, text, texts, whole } from '@grove/service';
import { z } from 'zod';
import { PREVIEW } from '../trails/preview-answer.ts';
import { keyOutput } from './key-contract.ts';

const RULES = { commas: true, max: 200 } as const;
const COUNT = { min: 0, max: 1_000_000, absent: null } as const;

/** Lists of the rules of a trail, as programs name them. */
export const RULE_NAMES = [
  'allow_tags',
  'deny_tags',
  'allow_types',
  'deny_types',
  'allow_paths',
  'deny_paths',
  'write_folders',
] as const;

const ruleParameters = {
  allow_tags: texts(RULES, 'Only notes with one of these tags, or one nested in it.', {
    guesses: ['tags', 'tag'],
  }),
  deny_tags: texts(RULES, 'No note with one of these tags.', { guesses: ['exclude_tags'] }),
  allow_types: texts(RULES, 'Only notes of one of these types.', { guesses: ['types', 'type'] }),
  deny_types: texts(RULES, 'No note of one of these types.', { guesses: ['exclude_types'] }),
  allow_paths: texts(RULES, 'Only these folders or globs; "**" alone shares all of the vault.', {
    guesses: ['paths', 'folders', 'read_paths'],
  }),
  deny_paths: texts(RULES, 'These folders or globs are out of reach, whatever else is said.', {
    guesses: ['deny', 'exclude'],
  }),
  write_folders: texts(RULES, 'Folders in which notes of the trail may be written; none when absent.', {
    guesses: ['write_paths', 'write'],
  }),
} as const;

const expires = text('30d, 12h, 2w, a day such as 2027-01-31, an ISO time, or never.', {
  guesses: ['expiry', 'expires_at', 'expiration', 'ttl'],
});

/** What a trail is made from. */
export const newTrailParameters = {
  name: requiredText('Whom or what it is for, such as "Book club"; unique among the trails.', {
    guesses: ['label', 'title', 'id'],
  }),
  ...ruleParameters,
  reads: whole(COUNT, 'Calls a minute that read; 60 unless told, 0 for no limit.'),
  writes: whole(COUNT, 'Calls a minute that write; 0 unless told, for none.'),
  expires,
} as const;

/** What of a trail is changed; what is left out stays, an empty list takes its rules away. */
export const trailChangeParameters = {
  ...newTrailParameters,
  name: text('Another name.', { guesses: ['label', 'title'] }),
  reads: whole(COUNT, 'Calls a minute that read; 0 for no limit.'),
  writes: whole(COUNT, 'Calls a minute that write; 0 for none.'),
} as const;

/** What one more token is made from. */
export const trailTokenParameters = {
  name: text('Who or what will hold it; "token" with a number unless told.', { guesses: ['label'] }),
} as const;

/** Of which time a usage tells. */
export const usageParameters = {
  since: text('From when on: 7d, 12h, a day or an ISO time; all that is kept when absent.', {
    guesses: ['after', 'from'],
  }),
} as const;

/** What a preview is asked about besides. */
export const previewParameters = {
  note: text('A note, by any of its names: why it is in or out.', { guesses: ['path'] }),
} as const;

const list = z.array(z.string());
const moment = z.iso.datetime().nullable();
const count = z.int().min(0);

/** A trail as it may be shown, which is what `trailRecord` makes of it: never its secrets. */
export const trailOutput = z.object({
  id: z.string(),
  name: z.string(),
  vault: z.string(),
  allow_tags: list,
  deny_tags: list,
  allow_types: list,
  deny_types: list,
  allow_paths: list,
  deny_paths: list,
  write_folders: list,
  /** Calls a minute that read; 0 for no limit. */
  reads: count,
  /** Calls a minute that write; 0 for none. */
  writes: count,
  created_at: z.iso.datetime(),
  expires_at: moment,
  disabled_at: moment,
  /** The last use of any of its tokens or grants, to about a minute. */
  last_used_at: moment,
  state: z.enum(['live', 'disabled', 'expired']),
});

/** What a list of trails is answered with. */
export const trailListOutput = z.object({ trails: z.array(trailOutput) });

/** A grant as it may be shown, which is what `grantRecord` makes of it. */
export const grantOutput = z.object({
  id: z.string(),
  vault: z.string(),
  /** The id of the trail that it is bound to; null for the owner's. */
  trail: z.string().nullable(),
  scopes: z.array(z.enum(['read', 'write'])),
  client_id: z.string(),
  client_name: z.string(),
  redirect_host: z.string(),
  resource: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: moment,
  revoked_at: moment,
  state: z.enum(['live', 'expired', 'revoked']),
});

/** What a list of grants is answered with. */
export const grantListOutput = z.object({ grants: z.array(grantOutput) });

/** One trail, with what opens it. */
export const trailDetailOutput = z.object({
  trail: trailOutput,
  tokens: z.array(keyOutput),
  grants: z.array(grantOutput),
});

/** The one answer that shows the secrets of a trail. */
export const newTrailOutput = z.object({
  trail: trailOutput,
  token: z.string(),
  /** Opens a page with the steps for each client. */
  invite_url: z.string(),
});

/** The one answer that shows an invite link. */
export const inviteOutput = z.object({ trail: trailOutput, invite_url: z.string() });

const sum = {
  calls: count,
  /** Notes in the answers, each time counted. */
  notes: count,
  /** Calls that ended with an error. */
  refused: count,
  last_at: moment,
};

/** What the calls by a trail come to; each day in UTC, newest first. */
export const usageOutput = z.object({
  trail: trailOutput,
  ...sum,
  days: z.array(z.object({ day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/), ...sum })),
});

/** What a trail shows, and what of it names notes that it does not show. */
export const previewOutput = PREVIEW.extend({ trail: trailOutput });
