import type { TreeLeaf } from '@grove/history';

const FORMAT = 0o170000;

export function isFile(leaf: TreeLeaf | null): leaf is TreeLeaf {
  return leaf !== null && (leaf.mode & FORMAT) === 0o100000;
}

export function isLink(leaf: TreeLeaf | null): leaf is TreeLeaf {
  return leaf !== null && (leaf.mode & FORMAT) === 0o120000;
}

export function isSubmodule(leaf: TreeLeaf | null): leaf is TreeLeaf {
  return leaf !== null && (leaf.mode & FORMAT) === 0o160000;
}

export function isTree(leaf: TreeLeaf | null): leaf is TreeLeaf {
  return leaf !== null && (leaf.mode & FORMAT) === 0o40000;
}

export function isExecutable(leaf: TreeLeaf): boolean {
  return (leaf.mode & 0o100) !== 0;
}

export function isSameLeaf(one: TreeLeaf | null, other: TreeLeaf | null): boolean {
  return one === null || other === null ? one === other : one.oid === other.oid && one.mode === other.mode;
}
