/** Somebody changed a file between our look and our change of it: the plan is made anew. Never leaves the engine. */
export class Raced extends Error {
  override readonly name = 'Raced';
  readonly path: string;

  constructor(path: string) {
    super('a file changed under the write');
    this.path = path;
  }
}
