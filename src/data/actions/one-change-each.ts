/**
 * Saves a change for each of `items`, begun in this order and all at once: what is done after them is
 * kept after them, and one that is not kept holds back none.
 *
 * @throws the reason for which the first of them was not kept, once the others are
 */
export async function oneChangeEach<T>(
  items: readonly T[],
  save: (item: T) => Promise<unknown>,
): Promise<void> {
  const results = await Promise.allSettled(items.map(save));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
