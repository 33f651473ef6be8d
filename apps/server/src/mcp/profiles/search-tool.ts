import { query, requiredText } from '@grove/service';
import { noteTitle } from './note-title.ts';
import { profileTool } from './profile-tool.ts';

/** What hosts show at most of one search. */
const RESULTS = 20;

const TEXT = { type: 'string' };

/** `search` as chat hosts call it: results to choose from, each with an id that `fetch` takes. */
export const searchTool = profileTool({
  name: 'search',
  title: 'Search the notes',
  description:
    'Search a vault of Markdown notes. Answers ids, titles and addresses; read one with fetch. Takes words, "phrases", -not, tag:, title:, or a question.',
  parameters: {
    query: requiredText('What to look for.', { guesses: ['q', 'search', 'text', 'keywords', 'question'] }),
  },
  output: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: TEXT, title: TEXT, url: TEXT },
        required: ['id', 'title', 'url'],
      },
    },
  },
  run: async (scope, input) => {
    const { hits = [] } = await query.run(scope, query.parse({ query: input.query, limit: RESULTS }));
    return {
      results: hits.map((hit) => ({ id: hit.path, title: noteTitle(hit), url: hit.url ?? hit.link })),
    };
  },
});
