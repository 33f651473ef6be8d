import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@grove/core';
import { type FormerMeaning, notesEmbeddedIn } from '@grove/search';
import { z } from 'zod';
import type { Embedding, ModelRecord } from './contract.ts';

const FILE = 'model.json';

const recordShape = z.object({
  id: z.string(),
  kind: z.string(),
  model: z.string(),
  host: z.string().nullable(),
  dimensions: z.int().positive(),
});

/**
 * Name of the folder of a model's vectors: readable, and another one for each id.
 *
 * @example folderOfModel('bge-m3/1024') // bge-m3-1024-5d2f0a41
 */
export function folderOfModel(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8);
  return `${id.replaceAll(/[^\w.-]+/g, '-').slice(0, 60)}-${hash}`;
}

/** Notes down in its folder which model made the vectors there. Where the disk refuses, the model cannot be former later. */
export async function recordModel(dir: string, { embedder, models }: Embedding): Promise<void> {
  if (models === undefined) return;
  const { id, model, host, dimensions } = embedder;
  const record: ModelRecord = { id, kind: models.kind, model, host, dimensions };
  const text = `${JSON.stringify(record)}\n`;
  const path = join(dir, FILE);
  try {
    if ((await readFile(path, 'utf8').catch(() => null)) === text) return;
    await mkdir(dir, { recursive: true });
    await writeDurably(path, text, 0o600);
  } catch {
    // The vectors are of use without it.
  }
}

/**
 * The model that can answer while another one's vectors are made: of those whose folders are there and that the settings
 * still reach, the one with the most notes.
 *
 * @returns null when there is none; `folder` is what is to be kept in either case
 */
export async function chooseFormer(
  folder: string,
  current: string,
  { models }: Embedding,
): Promise<{ readonly former: FormerMeaning | null; readonly kept: string | null }> {
  const others = (await readdir(folder).catch(() => [])).filter((name) => name !== current);
  const counted = others.map((name) => ({ name, done: notesEmbeddedIn(join(folder, name)) }));
  const filled = counted.filter(({ done }) => done > 0).sort((a, b) => b.done - a.done);
  for (const { name } of filled) {
    const dir = join(folder, name);
    const record = await readRecord(dir);
    // A folder that was named by another model says nothing that could be relied on.
    if (record === null || folderOfModel(record.id) !== name) continue;
    const embedder = (await models?.reopen(record)) ?? null;
    if (embedder !== null) return { former: { dir, embedder }, kept: name };
  }
  return { former: null, kept: filled[0]?.name ?? null };
}

/** Deletes the vectors of all models but these. */
export async function removeOthers(folder: string, kept: readonly (string | null)[]): Promise<void> {
  for (const entry of await readdir(folder).catch(() => []))
    if (!kept.includes(entry)) await rm(join(folder, entry), { recursive: true, force: true });
}

async function readRecord(dir: string): Promise<ModelRecord | null> {
  try {
    return recordShape.safeParse(JSON.parse(await readFile(join(dir, FILE), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
