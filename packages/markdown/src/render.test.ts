import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderHtml } from './render.ts';

describe('renderHtml', () => {
  it('renders CommonMark, GFM and math without the frontmatter', async () => {
    const html = await renderHtml(
      '---\na: 1\n---\n# Plan\n\n- [x] done\n\n| a |\n|---|\n| ~~b~~ |\n\n$x$\n\n```js\n1 < 2\n```\n',
    );
    expect(html).toContain('<h1>Plan</h1>');
    expect(html).toContain('<input type="checkbox" checked disabled>');
    expect(html).toContain('<td><del>b</del></td>');
    expect(html).toContain('<code class="language-math math-inline">x</code>');
    expect(html).toContain('<code class="language-js">1 &#x3C; 2');
    expect(html).not.toContain('a: 1');
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '![x](javascript:alert(1))',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe src="https://example.org"></iframe>',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '<style>* { display: none }</style>',
  ])('leaves nothing that runs of %j', async (text) => {
    expect(await renderHtml(text)).not.toMatch(/<script|<iframe|<style|onerror|javascript:|data:text/i);
  });

  it('keeps what a fence says of its language inside the attribute', async () => {
    expect(await renderHtml('```"><script>\nx\n```')).toBe(
      '<pre><code class="language-&#x22;><script>">x\n</code></pre>',
    );
  });

  it('shows a body that is nested too deeply or too long as it is', async () => {
    const quotes = `${'>'.repeat(5000)}<b>`;
    expect(await renderHtml(quotes)).toBe(`<pre>${'&gt;'.repeat(5000)}&lt;b&gt;</pre>`);
    const long = 'a & b\n'.repeat(50_000);
    expect(await renderHtml(long)).toBe(`<pre>${long.replaceAll('&', '&amp;')}</pre>`);
  });

  it('is loaded by the first rendering, not by the package', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) });
      const { renderHtml } = await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)});
      const before = loaded.filter((name) => /^(?:unified|remark|rehype|micromark)/.test(name));
      await renderHtml('# Plan');
      console.log(JSON.stringify([before, loaded.includes('remark-parse')]));
    `;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual([[], true]);
  });
});
