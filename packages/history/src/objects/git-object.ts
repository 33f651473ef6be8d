/** Kinds of git objects, by their number in a pack (gitformat-pack). */
export const OBJECT_TYPES = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' } as const;

export type ObjectType = (typeof OBJECT_TYPES)[keyof typeof OBJECT_TYPES];

/** An object's content, without its header. The bytes may be shared with a cache: never write to them. */
export interface GitObject {
  readonly type: ObjectType;
  readonly data: Buffer;
}

/** Id of the empty tree, which git knows without storing it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
