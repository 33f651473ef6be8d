import { unavailable } from '../unavailable.ts';

/** What an answer must hold. */
export interface Expected {
  readonly host: string;
  readonly count: number;
  /** Null: as many as come. */
  readonly dimensions: number | null;
}

/**
 * The vectors of an answer `{data: [{index, embedding}]}`, in the order of the texts, each of length 1.
 *
 * @throws `embedder_unavailable` when there are too few or too many, or one is no vector; permanent when its dimensions
 * are others
 * @example readVectors(answer, { host: 'localhost:11434', count: 2, dimensions: 768 });
 */
export function readVectors(answer: unknown, { host, count, dimensions }: Expected): Float32Array[] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw unavailable({ reason: `the answer of ${host} holds no vectors` });
  if (data.length !== count)
    throw unavailable({ reason: `${host} gave ${data.length} vectors for ${count} texts` });
  const vectors = inOrder(data as Row[]).map((row) => toVector(row?.embedding, host));
  const length = dimensions ?? vectors[0]?.length;
  const other = vectors.find((vector) => vector.length !== length);
  if (other === undefined) return vectors;
  throw unavailable({
    reason: `${host} gave vectors of ${other.length} numbers, not ${length}`,
    remedy: 'Set the dimensions of the model to what it gives; the vault is then embedded anew.',
    permanent: true,
  });
}

interface Row {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/** By `index`, where the rows have one each; some servers leave it out. */
function inOrder(rows: readonly (Row | null)[]): (Row | null)[] {
  const byIndex = new Map(rows.map((row) => [row?.index, row]));
  const complete = rows.every((_, at) => byIndex.has(at));
  return complete ? rows.map((_, at) => byIndex.get(at)!) : [...rows];
}

function toVector(embedding: unknown, host: string): Float32Array {
  const numbers = Array.isArray(embedding) ? (embedding as unknown[]) : [];
  // NaN and Infinity come as null or not at all.
  const length = Math.sqrt(
    numbers.reduce<number>((sum, value) => (typeof value === 'number' ? sum + value * value : Number.NaN), 0),
  );
  if (!Number.isFinite(length) || length === 0)
    throw unavailable({ reason: `${host} gave a vector that is none` });
  return Float32Array.from(numbers as number[], (value) => value / length);
}
