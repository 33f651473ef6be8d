import { GroveError } from '@grove/core';

/** A note's bytes as text. `text` keeps a byte order mark, so that its UTF-8 form is the bytes again. */
export interface DecodedNote {
  readonly text: string;
  readonly bom: boolean;
}

/**
 * Decodes a note strictly as UTF-8. NUL characters are kept. Throws `note_not_text` for anything else:
 * invalid sequences, encoded surrogates, UTF-16 or UTF-32 with a byte order mark. `path` is only named in
 * the error.
 *
 * @example decodeNote(await readFile('Ideas.md'), 'Ideas.md').text
 */
export function decodeNote(bytes: Uint8Array, path = ''): DecodedNote {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, bom: text.charCodeAt(0) === 0xfeff };
  } catch (cause) {
    // https://encoding.spec.whatwg.org/#dom-textdecoder-decode: a fatal decoder throws a TypeError.
    if (cause instanceof TypeError) throw new GroveError('note_not_text', { path }, { cause });
    throw cause;
  }
}
