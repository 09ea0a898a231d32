/** What all suites of a run share is started once, before the first, and closed after the last. */
const closing: (() => Promise<void>)[] = [];

/** Starting may take longer than a test on a busy computer. */
const START_WITHIN_MS = 120_000;

export function closeAtTheEnd(close: () => Promise<void>): void {
  closing.push(close);
}

/** Does nothing in a process that runs no tests. */
export function startAtTheBeginning(begin: () => Promise<unknown>): void {
  if (typeof before !== 'function') return;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    await begin();
  });
  after(async function () {
    this.timeout(START_WITHIN_MS);
    for (const close of closing.splice(0).reverse()) await close();
  });
}
