/** What the index remembers of the catalog that it was made from; kept with each commit. */
export interface IndexPayload {
  readonly catalogId: string;
  /** Every catalog change up to this sequence is in the index. */
  readonly sequence: number;
  /** {@link DOCUMENT_VERSION} of the documents. */
  readonly version: number;
}

/** Grows when `noteDocument` makes other documents of the same notes: the index is then built anew. */
export const DOCUMENT_VERSION = 1;

export function writePayload(payload: IndexPayload): string {
  return JSON.stringify(payload);
}

/** Null for what is no payload of ours. */
export function readPayload(text: string | null): IndexPayload | null {
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { catalogId, sequence, version } = value as Record<string, unknown>;
  if (typeof catalogId !== 'string' || typeof sequence !== 'number' || typeof version !== 'number')
    return null;
  return { catalogId, sequence, version };
}
