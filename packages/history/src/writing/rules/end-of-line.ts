import type { AttributeValue } from './attributes.ts';

/**
 * How line breaks are stored: `binary` as they are, `text` always LF, `auto` LF where the content is text and
 * what git has of the file holds no CRLF. `auto` may drop lone carriage returns where `strict` is false.
 */
export type EolConversion = 'binary' | 'text' | 'auto';

/** What attributes and `core.autocrlf` say of a file's line breaks (gitattributes, "text" and "eol"). */
export function eolConversion(
  attributes: ReadonlyMap<string, AttributeValue>,
  autocrlf: 'true' | 'input' | 'false',
): EolConversion {
  const eol = attributes.get('eol');
  // "crlf" is the older name of "text".
  const kind = textKind(attributes.get('text')) ?? textKind(attributes.get('crlf'));
  if (kind === 'binary' || kind === 'auto') return kind;
  if (kind === 'text' || eol === 'lf' || eol === 'crlf') return 'text';
  return autocrlf === 'false' ? 'binary' : 'auto';
}

function textKind(value: AttributeValue | undefined): EolConversion | null {
  if (value === true || value === 'input') return 'text';
  if (value === false) return 'binary';
  return value === 'auto' ? 'auto' : null;
}

/** True when content with CRLF counts as text for `auto` (git's convert_is_binary, turned round). */
export function looksLikeText(bytes: Uint8Array): boolean {
  let printable = 0;
  let other = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === 0x0d) {
      if (bytes[i + 1] !== 0x0a) return false;
      i++;
    } else if (byte === 0x0a) {
      // Line breaks count for neither side.
    } else if (byte === 0) {
      return false;
    } else if (byte === 0x7f || (byte < 0x20 && !PRINTABLE_CONTROLS.has(byte))) {
      other++;
    } else {
      printable++;
    }
  }
  // An end mark of DOS behind everything is no content.
  if (bytes.at(-1) === 0x1a) other--;
  return printable >> 7 >= other;
}

// Backspace, tab, escape, form feed.
const PRINTABLE_CONTROLS = new Set([0x08, 0x09, 0x1b, 0x0c]);

export function holdsCrlf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('\r\n');
}

/** Every CRLF as LF; a lone CR stays. */
export function crlfToLf(bytes: Uint8Array): Buffer {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = Buffer.allocUnsafe(source.length);
  let filled = 0;
  for (let i = 0; i < source.length; i++) {
    if (source[i] !== 0x0d || source[i + 1] !== 0x0a) result[filled++] = source[i]!;
  }
  return result.subarray(0, filled);
}

/** True where a checkout gives files CRLF: by `eol`, else by `core.autocrlf`, else by `core.eol` (convert.c, output_eol). */
export function checksOutCrlf(
  attributes: ReadonlyMap<string, AttributeValue>,
  autocrlf: 'true' | 'input' | 'false',
  coreEol: string | undefined,
): boolean {
  if (eolConversion(attributes, autocrlf) === 'binary') return false;
  const eol = attributes.get('eol');
  if (eol === 'crlf' || eol === 'lf') return eol === 'crlf';
  if (attributes.get('text') === 'input' || attributes.get('crlf') === 'input') return false;
  if (autocrlf !== 'false') return autocrlf === 'true';
  return coreEol === 'crlf' || (coreEol !== 'lf' && process.platform === 'win32');
}

/** Every lone LF as CRLF, as git does on checkout; with `auto` only in what is text and has no carriage return yet. */
export function lfToCrlf(bytes: Uint8Array, conversion: 'text' | 'auto'): Buffer {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (conversion === 'auto' && (source.includes(0x0d) || !looksLikeText(source))) return source;
  let lone = 0;
  for (let i = 0; i < source.length; i++) if (source[i] === 0x0a && source[i - 1] !== 0x0d) lone++;
  if (lone === 0) return source;
  const result = Buffer.allocUnsafe(source.length + lone);
  let filled = 0;
  for (let i = 0; i < source.length; i++) {
    if (source[i] === 0x0a && source[i - 1] !== 0x0d) result[filled++] = 0x0d;
    result[filled++] = source[i]!;
  }
  return result;
}
