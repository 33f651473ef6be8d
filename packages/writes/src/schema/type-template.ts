import { foldCase, type VaultPath } from '@grove/core';
import type { NoteTypeRule, VaultSchema } from '@grove/vault';
import { typesAt } from './breaches.ts';

/**
 * The template of the type that a new note has: by the property `type` that comes with it, else by the folder that is
 * one type's alone. Null where it has none.
 *
 * @example typeTemplate('Books/Dune.md', null, schema) // 'Templates/Book.md'
 */
export function typeTemplate(
  path: VaultPath,
  properties: Readonly<Record<string, unknown>> | null,
  { types }: VaultSchema,
): VaultPath | null {
  const named = Object.entries(properties ?? {}).find(([key]) => foldCase(key) === 'type')?.[1];
  const rule = named === undefined ? ownerOf(path, types) : types.find(({ name }) => isNamed(name, named));
  return (rule?.template ?? null) as VaultPath | null;
}

/** Several types, or one that shares its folder, say nothing of a note there. */
function ownerOf(path: VaultPath, types: readonly NoteTypeRule[]): NoteTypeRule | undefined {
  const [only, ...others] = typesAt(path, types);
  return others.length === 0 && only?.rule.folderOnly === true ? only.rule : undefined;
}

function isNamed(name: string, type: unknown): boolean {
  const [first]: unknown[] = Array.isArray(type) ? type : [type];
  return typeof first === 'string' && foldCase(first.trim()) === foldCase(name);
}
