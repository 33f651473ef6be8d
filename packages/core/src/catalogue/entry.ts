/** What stands behind one error code. `{name}` places are filled from the error's data. */
export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly hint: string;
}
