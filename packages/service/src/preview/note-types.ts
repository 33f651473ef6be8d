import { foldCase } from '@grove/core';
import type { Vault } from '@grove/vault';
import { groupByType } from '../list-notes/groups.ts';

/** Types of the vault's notes and of its settings, first spelling kept. */
export function noteTypes(vault: Vault): readonly string[] {
  const names = [
    ...groupByType(vault.ownerView().notes()).map(({ name }) => name),
    ...vault.schema.types.map(({ name }) => name),
  ];
  const distinct = new Map<string, string>();
  for (const name of names) if (!distinct.has(foldCase(name))) distinct.set(foldCase(name), name);
  return [...distinct.values()];
}
