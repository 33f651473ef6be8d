import { describe, expect, it } from 'vitest';
import { failureOf } from '../testing/random-notes.ts';
import { isElision, refuseElision } from './elision.ts';

describe('isElision', () => {
  it.each([
    '... rest unchanged ...',
    '...rest of the note...',
    '… rest of the document remains unchanged …',
    '[... rest of note unchanged ...]',
    '[rest of the content unchanged]',
    '(rest of the file remains the same)',
    '<!-- existing content -->',
    '<!-- ... existing code ... -->',
    '// ... existing code ...',
    '# ... rest of file ...',
    '%% rest of note %%',
    '/* rest of the file unchanged */',
    '*(remaining sections unchanged)*',
    '_... remaining content ..._',
    '...existing content...',
    'existing content',
    '[existing content]',
    '[Previous content remains unchanged]',
    '[...]',
    '(...)',
    '<!-- ... -->',
    '[Rest of content here]',
    '<rest of the note>',
    '{existing content}',
    '(keep the rest as is)',
    '- ... (rest of the list unchanged)',
    'Rest of the note unchanged.',
    'The rest of the document remains unchanged.',
    '[unchanged]',
    '(content omitted)',
    '... (Rest unverändert) ...',
    '[Rest der Notiz bleibt unverändert]',
    '<!-- restlicher Inhalt -->',
    '(... le reste de la note est inchangé)',
    '[reste inchangé]',
    '... resto de la nota sin cambios ...',
    '(resto inalterado)',
    '<!-- resto da nota permanece inalterado -->',
    '[resto invariato]',
    '[rest ongewijzigd]',
    '... остальное без изменений ...',
    '（其余内容不变）',
    '……其余部分保持不变……',
    '[...其他内容省略...]',
    '（以下同じ）',
    '<!-- 残りは変更なし -->',
    '(나머지 내용은 그대로)',
  ])('knows %j', (line) => {
    expect(isElision(line)).toBe(true);
  });

  it.each([
    '## Existing content',
    '- existing content',
    'Remaining tasks',
    '- Rest day',
    'Rest',
    'The rest is history.',
    'The rest of the garden needs water.',
    '...and then it rained...',
    'To be continued...',
    '...',
    '…',
    '[x]',
    '[[Rest]]',
    '[link](rest)',
    '<!-- TODO: rewrite -->',
    '%% private %%',
    '# Other notes',
    'Previous work by Ann',
    '// keep in mind',
    'Unchanged since 2019, the rule says otherwise.',
    '(see below)',
    '<div>',
    '其他',
    'Resto',
    '',
  ])('lets %j be', (line) => {
    expect(isElision(line)).toBe(false);
  });

  it('takes linear time over long lines of dots and brackets', () => {
    for (const line of [
      '.'.repeat(100_000),
      '['.repeat(100_000),
      `<!-- ${'rest '.repeat(20_000)}`,
      `${'*'.repeat(50_000)}x`,
    ])
      expect(() => refuseElision(line, '')).not.toThrow();
  });
});

describe('refuseElision', () => {
  it('names the line', () => {
    const { code, data } = failureOf(() => refuseElision('a\r\n\r\n  ... rest unchanged ...\r\n', ''));
    expect([code, data]).toEqual(['elided_content', { line: 3, text: '... rest unchanged ...' }]);
  });

  it('lets a line be that stood there before', () => {
    expect(() =>
      refuseElision('a\n<!-- existing content -->', 'b\n<!-- existing content -->\n'),
    ).not.toThrow();
  });
});
