import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '@grove/core';
import { unavailable } from '../../unavailable.ts';

/** Where the model is that comes with Grove. */
export const MODEL_FOLDER = fileURLToPath(new URL('../../../models/bge-small-en-v1.5-int8', import.meta.url));

/** What the files of the model must be; `NOTICE.md` beside them says where they come from. */
export const MODEL_FILES = {
  model: {
    name: 'model.onnx',
    size: 34_243_356,
    sha256: 'd9c3184e4b9e34b95564abd3a46599ef4ee85ee01943ff1e5aac47cfc6263762',
  },
  tokenizer: {
    name: 'tokenizer.json',
    size: 466_081,
    sha256: '9114256b104cca80e04367526f03f46aa3c443c2ed174904142a73bbf13b9fbb',
  },
} as const;

/** The bytes of both files, checked. */
export interface ModelFiles {
  readonly model: Uint8Array;
  readonly tokenizer: Uint8Array;
}

/**
 * Reads the files of the model: sizes first, then the hashes of what was read, so that what is loaded is what was
 * checked.
 *
 * @throws `embedder_unavailable` (permanent) when one is missing, cannot be read or is another file
 * @example const { model, tokenizer } = await readModelFiles(MODEL_FOLDER);
 */
export async function readModelFiles(folder: string): Promise<ModelFiles> {
  for (const file of Object.values(MODEL_FILES)) await checkSize(folder, file);
  return {
    tokenizer: await readChecked(folder, MODEL_FILES.tokenizer),
    model: await readChecked(folder, MODEL_FILES.model),
  };
}

interface ExpectedFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

async function checkSize(folder: string, { name, size }: ExpectedFile): Promise<void> {
  const found = await stat(join(folder, name)).catch((error) => {
    throw unreadable(name, error);
  });
  if (found.size !== size) throw damaged(`${name} of the local model has ${found.size} bytes, not ${size}`);
}

async function readChecked(folder: string, { name, sha256 }: ExpectedFile): Promise<Uint8Array> {
  const bytes = await readFile(join(folder, name)).catch((error) => {
    throw unreadable(name, error);
  });
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw damaged(`${name} of the local model is damaged`);
  return bytes;
}

function unreadable(name: string, error: unknown) {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return damaged(`${name} of the local model is missing`);
  return damaged(`${name} of the local model cannot be read (${code ?? 'unknown error'})`);
}

const damaged = (reason: string) =>
  unavailable({
    reason,
    remedy: 'Put the folder packages/embeddings/models of this version of Grove back in place.',
    permanent: true,
  });
