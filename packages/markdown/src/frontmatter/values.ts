/** A scalar value with its place in the note: what tags and links in properties are read from. */
export interface PropertyValue {
  /** The key of the outermost mapping. */
  readonly property: string;
  /** The value as text: the string itself, or a number, boolean as it was written. */
  readonly text: string;
  /** The property's own value, an entry of its own list, or something deeper inside it. */
  readonly role: 'own' | 'entry' | 'nested';
  /** UTF-16 offsets into the YAML, quotes included. */
  readonly start: number;
  readonly end: number;
}

/** YAML as JSON values, or why it could not be read. */
export interface YamlReading {
  readonly data: Record<string, unknown>;
  readonly values: readonly PropertyValue[];
  readonly error: { readonly message: string; readonly offset: number } | null;
}
