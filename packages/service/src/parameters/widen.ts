/**
 * Numbers and booleans as text, half characters (lone surrogates, which JSON can carry) replaced; everything else is
 * left for the schema to judge.
 */
export function asText(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Whole numbers written as text. */
export function asWhole(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[+-]?\d{1,15}(?:\.0*)?\s*$/.test(value) ? Number(value) : value;
}

/** The ways in which clients write yes and no. */
export function asFlag(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if (['true', 'yes', '1', 'on'].includes(word)) return true;
  if (['false', 'no', '0', 'off'].includes(word)) return false;
  return value;
}

/** A list of texts: a JSON list, one text, or texts between commas. Absent items are dropped. */
export function asItems(value: unknown, commas: boolean): unknown {
  const list = typeof value === 'string' ? itemsOfText(value, commas) : value;
  if (typeof list === 'number' || typeof list === 'boolean') return [String(list)];
  if (!Array.isArray(list)) return list;
  return list.map(asText).filter((item) => item !== null && item !== undefined && item !== '');
}

/** An object, also as JSON text. */
export function asObject(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

/** A list of objects, also as JSON text or as one object alone. */
export function asObjects(value: unknown): unknown {
  const parsed = asObject(value);
  if (Array.isArray(parsed)) return parsed.map(asObject);
  return typeof parsed === 'object' && parsed !== null ? [parsed] : parsed;
}

function itemsOfText(text: string, commas: boolean): unknown[] {
  const parsed = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  if (Array.isArray(parsed)) return parsed;
  return commas ? text.split(',').map((item) => item.trim()) : [text];
}

/** The JSON value, or undefined when the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
