/**
 * Text of a note as a fenced block that nothing in it can close: the fence is longer than any run of backticks
 * inside. Readers are told that it is data.
 */
export function fenceNote(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}markdown\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Sentences for the reader, one line each. */
export function remarkLines(remarks: readonly string[] | undefined): string[] {
  return (remarks ?? []).map((remark) => `Note: ${remark}`);
}

/** `1 note`, `2 notes`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
