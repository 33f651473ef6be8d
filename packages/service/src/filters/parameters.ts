import { object, text, texts } from '../parameters/parameter.ts';

/** The filters that query and list_notes share, under the same flat names. */
export const filterParameters = {
  folders: texts({ commas: false, max: 50 }, 'Only in one of these folders, or below.', {
    guesses: ['in', 'dir', 'directory', 'path', 'paths'],
  }),
  tags: texts({ commas: true, max: 50 }, 'With all these tags; a also finds a/b, -x excludes.', {
    guesses: ['tag', 'labels'],
  }),
  types: texts({ commas: true, max: 50 }, 'Of one of these types.', { guesses: ['type', 'kind'] }),
  after: text('Modified since 2026-11-30, 7d, yesterday.', {
    guesses: ['since', 'from', 'modified_after'],
  }),
  before: text('Modified before that.', { guesses: ['until', 'modified_before'] }),
  where: object(
    'Fields, links, backlinks, stage: {"status": "active", "due": {"<": "2026-12-01"}}; in, contains, exists. Or JSONLogic.',
    { guesses: ['filter', 'filters', 'frontmatter', 'properties'] },
  ),
} as const;

/** The filters of one call. */
export interface NoteFilters {
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly types: readonly string[];
  readonly after: string | null;
  readonly before: string | null;
  readonly where: Readonly<Record<string, unknown>> | null;
}
