import { GroveError } from '@grove/core';

/** How many segments stand before the path of a note: those of `/v1/notes/`. */
const SEGMENTS_BEFORE = 2;

/**
 * The path of a note as the address `/v1/notes/{path}` names it, from the request target as it arrived: each segment
 * is percent-decoded once. A slash or backslash that was encoded would make other segments than the client wrote.
 *
 * @throws GroveError `bad_url`
 * @example notePathOf('/v1/notes/Beds/Bed%201.md?format=raw') // 'Beds/Bed 1.md'
 */
export function notePathOf(target: string): string {
  const [path = ''] = target.split('?', 1);
  const segments = path.split('/').slice(1 + SEGMENTS_BEFORE);
  return segments.map(decodeSegment).join('/');
}

/**
 * The query of a request target, without the `?`; `''` when there is none.
 *
 * @throws GroveError `bad_url` where its percent-encoding does not decode: a parser would pass it on as it stands
 */
export function queryOf(target: string): string {
  const question = target.indexOf('?');
  const query = question < 0 ? '' : target.slice(question + 1);
  decode(query, 'the percent-encoding of its query is not valid');
  return query;
}

function decodeSegment(segment: string): string {
  const decoded = decode(segment, 'its percent-encoding is not valid');
  if (/[/\\]/.test(decoded))
    throw new GroveError('bad_url', { reason: 'a slash or backslash inside a segment is not taken' });
  return decoded;
}

function decode(text: string, reason: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    // Bytes that are no UTF-8 end here too.
    if (error instanceof URIError) throw new GroveError('bad_url', { reason }, { cause: error });
    throw error;
  }
}
