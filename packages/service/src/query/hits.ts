import type { SearchHit, SearchList } from '@grove/search';
import { clip, isoTime, noteFacts, oneLine } from '../answers/note-facts.ts';
import { FRAME_BYTES, fillPage, TEXT_BYTES } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { headingAt } from '../notes/heading-at.ts';
import type { Hit } from './contract.ts';

const SNIPPET = 240;

/** Hits as the caller gets them, as many as the budget holds; scores only when explained. */
export function presentHits(
  scope: Scope,
  hits: readonly SearchHit[],
  searches: readonly SearchList[],
  explain: boolean,
  budget: number,
): Hit[] {
  const shown = hits.map((hit) => ({
    ...presentHit(scope, hit),
    ...(explain ? explained(hit, searches) : {}),
  }));
  return [...fillPage(shown, Math.min(budget, TEXT_BYTES - FRAME_BYTES)).items];
}

function presentHit(scope: Scope, hit: SearchHit): Hit {
  const { row } = hit;
  const snippet = hit.snippets[0];
  const line = hit.lines[0]?.line ?? snippet?.line;
  const heading = line === undefined ? null : headingAt(scope.view.details(row).headings, line);
  return {
    ...noteFacts(scope, row),
    ...(heading === null ? {} : { heading: clip(heading.address, 200) }),
    ...(line === undefined ? {} : { line }),
    ...(snippet === undefined ? {} : { snippet: clip(withoutFences(oneLine(snippet.text)), SNIPPET) }),
    ...(hit.lines.length === 0
      ? {}
      : {
          lines: hit.lines.map(({ line: at, text }) => ({ line: at, text: clip(oneLine(text), SNIPPET) })),
          line_count: hit.lineCount,
        }),
    modified: isoTime(scope, scope.view.times(row).modified),
  };
}

/** The lines around frontmatter tell a reader nothing. */
function withoutFences(snippet: string): string {
  return snippet.replace(/^---(?: |$)/, '').replace(/ ---$/, '');
}

function explained(hit: SearchHit, searches: readonly SearchList[]): Partial<Hit> {
  return {
    score: rounded(hit.score),
    exact: hit.exact,
    found: hit.found.map((finding) => ({
      type: finding.type,
      query: clip(searches[finding.search]?.query ?? '', 100),
      rank: finding.rank,
      score: rounded(finding.score),
    })),
  };
}

function rounded(score: number): number {
  return Number(score.toPrecision(6));
}
