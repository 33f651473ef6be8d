import type { Clock, VaultPath, WriteFs } from '@grove/core';
import type { GitLocation, GitStore, GitWriter, MadeCommit } from '@grove/history';
import type { Ledger } from '../ledger/ledger.ts';
import type { EngineProblem } from './contract.ts';
import type { FileWriter } from './files/file-writer.ts';
import type { WorkFolder } from './files/work-folder.ts';
import type { StepListener } from './steps.ts';

/** What the steps of a write work with. */
export interface EngineParts {
  /** Real path of the vault folder. */
  readonly root: string;
  readonly location: GitLocation;
  readonly git: GitWriter;
  /** What `git` reads with. */
  readonly store: GitStore;
  readonly ledger: Ledger;
  readonly files: FileWriter;
  readonly work: WorkFolder;
  readonly fs: WriteFs;
  readonly clock: Clock;
  readonly trailerKey: Uint8Array;
  readonly published: (paths: readonly VaultPath[], made: readonly MadeCommit[] | null) => Promise<void>;
  readonly report: (problem: EngineProblem) => void;
  readonly step: StepListener;
}
