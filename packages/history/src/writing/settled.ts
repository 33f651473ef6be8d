// As many as Node's threads for files.
const AT_ONCE = 4;

/**
 * Does something to each, some side by side, and waits for all of those also when one fails: nothing goes on
 * writing behind the caller's back.
 */
export async function forEachSettled<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const all = [...items];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    for (const result of await Promise.allSettled(all.slice(at, at + AT_ONCE).map(work))) {
      if (result.status === 'rejected') throw result.reason;
    }
  }
}
