import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run } from '../run.ts';
import { printJson, visible, withoutControls } from './print.ts';

describe('withoutControls', () => {
  it('keeps tabs and line breaks and drops what a terminal would obey', () => {
    expect(withoutControls('a\tb\nc\u001b[2Jd\u0007\u009b1me\r')).toBe('a\tb\nc[2Jd1me');
  });

  it('lets no control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(withoutControls(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

describe('visible', () => {
  it('shows as its code what would move a cursor, or turn a text around', () => {
    expect(visible('a\u001b[2J\u009b1m\u202egro\u2066')).toBe(
      String.raw`a\u{1b}[2J\u{9b}1m\u{202e}gro\u{2066}`,
    );
    expect(visible('Gärten/日本.md')).toBe('Gärten/日本.md');
  });
});

describe('printJson', () => {
  it('prints any value as it is, and nothing that a terminal would obey', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\u009b', '\u202e', '\u001b', '\u007f', '"', '😀') }),
        (text) => {
          const written: string[] = [];
          printJson({ stdout: { write: (line: string) => written.push(line) } } as unknown as Run, { text });
          const [line = ''] = written;
          expect(JSON.parse(line)).toEqual({ text });
          expect(line.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        },
      ),
    );
  });
});
