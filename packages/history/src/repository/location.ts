/** Where the history of a folder lies. All paths are absolute and real (no symlink on the way). */
export interface GitLocation {
  /** Holds HEAD, index and what belongs to this work tree alone. */
  readonly gitDir: string;
  /** Holds objects, refs and config; another folder than `gitDir` in a linked work tree only. */
  readonly commonDir: string;
  /** The top folder that the repository tracks. */
  readonly workTreeRoot: string;
  /** The vault's folder below `workTreeRoot`, with `/` between names; `''` when it is the top. */
  readonly prefix: string;
}
