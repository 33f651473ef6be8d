import type { StoredVector } from '@grove/search';
import type { Table as ArrowTable, FixedSizeList, RecordBatch, Schema } from 'apache-arrow';
import { VectorsDamaged } from './damage.ts';
import type { LanceLibrary } from './lance-library.ts';

type Arrow = LanceLibrary['arrow'];

/** Keys are ours (base64url); another one would have to be quoted. */
export const KEY = /^[\w-]{1,64}$/;

/**
 * The columns of a table of vectors: `key` and `vector`, neither ever null.
 *
 * @example const schema = schemaOf(loadLance().arrow, 384);
 */
export function schemaOf({ Field, FixedSizeList, Float32, Schema, Utf8 }: Arrow, dimensions: number): Schema {
  const item = new Field('item', new Float32(), true);
  return new Schema([
    new Field('key', new Utf8(), false),
    new Field('vector', new FixedSizeList(dimensions, item), false),
  ]);
}

/**
 * Vectors as rows of a table.
 *
 * @throws TypeError when a key is not one of ours or a vector has other dimensions
 */
export function toArrow(arrow: Arrow, schema: Schema, vectors: readonly StoredVector[]): ArrowTable {
  const { Float32, makeData, RecordBatch, Struct, Table, vectorFromArray } = arrow;
  const [keyField, vectorField] = schema.fields;
  const listType = vectorField!.type as FixedSizeList;
  const dimensions = listType.listSize;
  const floats = new Float32Array(vectors.length * dimensions);
  for (const [at, { key, vector }] of vectors.entries()) {
    if (vector.length !== dimensions || !KEY.test(key)) throw new TypeError('no vector of this store');
    floats.set(vector, at * dimensions);
  }
  const keys = vectorFromArray(
    vectors.map(({ key }) => key),
    keyField!.type,
  );
  const child = makeData({ type: new Float32(), data: floats, length: floats.length });
  const list = makeData({ type: listType, length: vectors.length, nullCount: 0, child });
  const rows = makeData({
    type: new Struct(schema.fields),
    length: vectors.length,
    nullCount: 0,
    children: [keys.data[0]!, list],
  });
  return new Table(schema, new RecordBatch(schema, rows));
}

/**
 * The vectors in rows of a table.
 *
 * @throws VectorsDamaged when it has other columns
 */
export function fromArrow(batch: RecordBatch, dimensions: number): StoredVector[] {
  const keys = batch.getChild('key');
  const list = batch.getChild('vector')?.data[0];
  const values: unknown = list?.children[0]?.values;
  if (keys === null || !(values instanceof Float32Array)) throw new VectorsDamaged('other columns');
  return Array.from({ length: batch.numRows }, (_, at) => {
    const from = (list!.offset + at) * dimensions;
    return { key: String(keys.get(at)), vector: values.slice(from, from + dimensions) };
  });
}
