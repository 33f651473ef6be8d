/** The store holds something else than it should, or its folder is gone: its owner deletes and fills it again. */
export class VectorsDamaged extends Error {
  readonly code = 'vectors_damaged';

  constructor(cause: unknown) {
    super('The stored vectors cannot be read.', { cause });
    this.name = 'VectorsDamaged';
  }
}
