import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutControls } from './print.ts';

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
