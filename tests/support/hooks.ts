/** What is shared by all suites of a run is closed once, after the last. */
const closing: (() => Promise<void>)[] = [];

export function closeAtTheEnd(close: () => Promise<void>): void {
  closing.push(close);
}

if (typeof after === 'function')
  after(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
