import type { Binding } from './binding.ts';
import { loadNative } from './load.ts';

/** The loaded module. Importing this file fails when there is none for this machine. */
export const native: Binding = loadNative();
