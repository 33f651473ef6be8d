import { findLineStarts, lineAt } from '../lines.ts';
import type { Frontmatter } from '../model.ts';
import { findFences } from './fences.ts';
import type { PropertyValue } from './values.ts';
import { readYaml } from './yaml.ts';

/** A note's frontmatter, with the places of its values in the note. */
export interface FrontmatterReading {
  readonly frontmatter: Frontmatter;
  readonly values: readonly PropertyValue[];
  readonly bodyStart: number;
}

/** Reads the frontmatter that opens a note. Never throws: what cannot be read is `broken` or `unclosed`. */
export function readFrontmatter(text: string): FrontmatterReading {
  const { status, block, yaml, bodyStart } = findFences(text);
  if (status !== 'found' || yaml === null) {
    const error =
      status === 'unclosed' ? { message: 'the first "---" has no second one to close it', line: 1 } : null;
    const frontmatter: Frontmatter = {
      status: status === 'unclosed' ? 'unclosed' : 'none',
      block,
      yaml,
      data: {},
      error,
    };
    return { frontmatter, values: [], bodyStart };
  }
  const source = text.slice(yaml.start, yaml.end);
  const { data, values, error } = readYaml(source);
  if (error === null) {
    const placed = values.map((value) => ({
      ...value,
      start: value.start + yaml.start,
      end: value.end + yaml.start,
    }));
    return { frontmatter: { status: 'ok', block, yaml, data, error: null }, values: placed, bodyStart };
  }
  const line = 1 + lineAt(findLineStarts(source), error.offset);
  return {
    frontmatter: { status: 'broken', block, yaml, data: {}, error: { message: error.message, line } },
    values: [],
    bodyStart,
  };
}
