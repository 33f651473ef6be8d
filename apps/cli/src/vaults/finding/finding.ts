import type { Environment } from '../../system-folders.ts';

/** What a folder of notes was made with. */
export type VaultKind = 'obsidian' | 'logseq' | 'openclaw';

/** A folder that a program names as one with notes; it may be gone. */
export interface Candidate {
  readonly path: string;
  readonly kind: VaultKind;
  /** The file or folder that led to it. */
  readonly foundIn: string;
}

/** What looking in the places of one program came to. */
export interface Findings {
  readonly candidates: readonly Candidate[];
  /** Sentences about what could not be read. */
  readonly remarks: readonly string[];
}

/** The machine that is looked at. */
export interface Machine {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
}
