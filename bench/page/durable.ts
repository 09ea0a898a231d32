/**
 * Makes every writing transaction of this page strict (flushed to disk when it says complete), so
 * that all are measured with the same durability, and says when none is open.
 */
const { transaction } = IDBDatabase.prototype as {
  readonly transaction: (this: IDBDatabase, ...given: Given) => IDBTransaction;
};
type Given = Parameters<IDBDatabase['transaction']>;
const open = new Set<IDBTransaction>();
const waiting = new Set<() => void>();

/** When the last writing transaction was complete, by `performance.now()`. */
export let lastCompleteMs = 0;

IDBDatabase.prototype.transaction = function strict(this: IDBDatabase, ...given: Given) {
  const [names, mode, options] = given;
  if (mode !== 'readwrite') return transaction.call(this, names, mode, options);
  const made = transaction.call(this, names, mode, { ...options, durability: 'strict' });
  open.add(made);
  const end = (): void => {
    open.delete(made);
    lastCompleteMs = performance.now();
    if (open.size > 0) return;
    for (const tell of waiting) tell();
    waiting.clear();
  };
  made.addEventListener('complete', end);
  made.addEventListener('abort', end);
  return made;
};

/** Resolves once a writing transaction that is open, or about to be, is complete. */
export function durable(): Promise<void> {
  return new Promise((resolve) => waiting.add(resolve));
}

/** Resolves once none is open and none follows at once. */
export async function allDurable(): Promise<void> {
  do {
    if (open.size > 0) await durable();
    await new Promise((resolve) => setTimeout(resolve, 0));
  } while (open.size > 0);
}
