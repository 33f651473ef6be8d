import { expect, it } from 'vitest';
import { html } from './html.ts';

it('escapes what is put into text and into quoted attributes', () => {
  const hostile = `"><script>alert('1')</script>&amp;`;
  expect(html`<p title="${hostile}">${hostile}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
  );
});

it('keeps pieces and lists of pieces as they are, and leaves out nothing-values', () => {
  const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}${null}${undefined}${false}${0}</ul>`.text).toBe(
    '<ul><li>&lt;a&gt;</li><li>b</li>0</ul>',
  );
});
