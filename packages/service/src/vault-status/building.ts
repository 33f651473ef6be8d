import type { Scope } from '../contract.ts';

/** What a caller must know while the vault is still being taken up: an answer may lack notes. */
export function buildingRemarks(scope: Scope): string[] {
  const remarks: string[] = [];
  const vault = scope.vault.state;
  const { state } = scope.search.health();
  if (vault === 'opening' || state === 'opening' || state === 'rebuilding')
    remarks.push(
      'The index is still being built: notes may be missing from this answer. vault_status shows the progress.',
    );
  if (vault === 'degraded')
    remarks.push('The vault folder is not there now: this is what Grove knew of it before.');
  return remarks;
}
