import { GroveError } from '@grove/core';
import { findFences } from '../../frontmatter/fences.ts';
import { readFrontmatter } from '../../frontmatter/read.ts';

/** Refuses a part of a note that opens with properties: `second_frontmatter`. A rule `---` is let through. */
export function refuseBlock(content: string): void {
  const { frontmatter } = readFrontmatter(content);
  if (frontmatter.status === 'ok' && Object.keys(frontmatter.data).length > 0)
    throw new GroveError('second_frontmatter');
}

/** Refuses a change after which other lines would be the frontmatter than before: `second_frontmatter`. */
export function refuseNewBlock(before: string, after: string): void {
  const old = findFences(before);
  const now = findFences(after);
  if (now.status === 'none' && old.status === 'unclosed') return;
  if (old.status !== now.status || old.yaml?.end !== now.yaml?.end)
    throw new GroveError('second_frontmatter');
}
