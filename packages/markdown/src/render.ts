import { decodeOutline, outlineAsync } from '@grove/native';
import { findFences } from './frontmatter/fences.ts';

// The renderer costs about 0.7 ms a kilobyte on the calling thread, so that longer texts are shown as they are.
const LONGEST = 256 * 1024;
// Its time grows with the square of the depth of lists and quotes.
const DEEPEST = 50;

/**
 * Renders a note's body to HTML: CommonMark with GFM and math, raw HTML dropped, the result sanitised by
 * GitHub's rules. Frontmatter is left out; Obsidian's own marks stay text. A body that is too long or too
 * deeply nested for the renderer comes back as escaped text in one `<pre>`.
 *
 * @example await renderHtml('# Plan') // '<h1>Plan</h1>'
 */
export async function renderHtml(text: string): Promise<string> {
  const body = text.slice(findFences(text).bodyStart);
  if (body.length > LONGEST || (await depthOf(body)) > DEEPEST) return asIs(body);
  const processor = await createProcessor();
  try {
    return String(await processor.process(body));
  } catch (cause) {
    // The tree is walked recursively: nesting thousands deep overflows the stack.
    if (cause instanceof RangeError) return asIs(body);
    throw cause;
  }
}

/** Loads the renderer on first use: readers and searchers never need it. */
async function createProcessor() {
  const [unified, parse, gfm, math, rehype, sanitize, stringify] = await Promise.all([
    import('unified'),
    import('remark-parse'),
    import('remark-gfm'),
    import('remark-math'),
    import('remark-rehype'),
    import('rehype-sanitize'),
    import('rehype-stringify'),
  ]);
  const { defaultSchema } = sanitize;
  return unified
    .unified()
    .use(parse.default)
    .use(gfm.default)
    .use(math.default)
    .use(rehype.default)
    .use(sanitize.default, {
      ...defaultSchema,
      attributes: {
        ...defaultSchema.attributes,
        code: [['className', /^language-./, 'math-inline', 'math-display']],
      },
    })
    .use(stringify.default)
    .freeze();
}

async function depthOf(body: string): Promise<number> {
  let deepest = 0;
  for (const record of decodeOutline(await outlineAsync(body)))
    if (record.kind === 'listItem' || record.kind === 'blockQuote') deepest = Math.max(deepest, record.depth);
  return deepest;
}

function asIs(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<pre>${escaped}</pre>`;
}
