import { expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { Person } from './world.ts';

/** What a test does to the storage of a browser, from inside its pages. */

interface Spoilt {
  holdWrites: boolean;
  isBroken: boolean;
  isFull: boolean;
  open: IDBDatabase[];
}

/** Lets `holdWrites`, `breakStorage` and `fillStorage` work in the pages that `context` opens from now on. */
export async function spoilStorage(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const spoilt: Spoilt = { holdWrites: false, isBroken: false, isFull: false, open: [] };
    Object.assign(globalThis, { spoilt });
    const open = Reflect.get<IDBFactory, 'open'>(IDBFactory.prototype, 'open');
    const transaction = Reflect.get<IDBDatabase, 'transaction'>(
      IDBDatabase.prototype,
      'transaction',
    );
    IDBFactory.prototype.open = function (name, version) {
      if (spoilt.isBroken) throw new DOMException('The disk does not answer', 'UnknownError');
      const request = open.call(this, name, version);
      request.addEventListener('success', () => {
        spoilt.open.push(request.result);
      });
      return request;
    };
    const put = Reflect.get<IDBObjectStore, 'put'>(IDBObjectStore.prototype, 'put');
    const clear = Reflect.get<IDBObjectStore, 'clear'>(IDBObjectStore.prototype, 'clear');
    IDBObjectStore.prototype.put = function (value: unknown, key?: IDBValidKey) {
      if (spoilt.isFull && this.name !== 'facts')
        throw new DOMException('The disk is full', 'QuotaExceededError');
      return key === undefined ? put.call(this, value) : put.call(this, value, key);
    };
    IDBObjectStore.prototype.clear = function () {
      spoilt.isFull = false;
      return clear.call(this);
    };
    IDBDatabase.prototype.transaction = function (names, mode, options) {
      const begun = transaction.call(this, names, mode, options);
      if (!spoilt.holdWrites || mode !== 'readwrite' || !begun.objectStoreNames.contains('outbox'))
        return begun;
      // As long as it is asked something it does not commit.
      const outbox = begun.objectStore('outbox');
      const askOn = (): void => {
        outbox.get(-1).onsuccess = askOn;
      };
      askOn();
      return begun;
    };
  });
}

/** Nothing more can be written, until cached records are dropped. */
export function fillStorage(page: Page): Promise<void> {
  return page.evaluate(() => {
    (globalThis as unknown as { spoilt: Spoilt }).spoilt.isFull = true;
  });
}

/** From now on nothing that the page writes into the outbox is ever committed. */
export function holdWrites(page: Page): Promise<void> {
  return page.evaluate(() => {
    (globalThis as unknown as { spoilt: Spoilt }).spoilt.holdWrites = true;
  });
}

/** Closes the page's databases under it, and lets none be opened until `isBroken` is false. */
export function breakStorage(page: Page, isBroken: boolean): Promise<void> {
  return page.evaluate((now) => {
    const { spoilt } = globalThis as unknown as { spoilt: Spoilt };
    spoilt.isBroken = now;
    if (!now) return;
    for (const db of spoilt.open.splice(0)) {
      db.close();
      db.dispatchEvent(new Event('close'));
    }
  }, isBroken);
}

/** Rows of one store of a person's copy, by key, from a page of the same origin. */
export function rowsIn(page: Page, account: string, store: string): Promise<unknown[]> {
  return page.evaluate(
    ([name, from]) =>
      new Promise<unknown[]>((done, fail) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => {
          fail(opening.error ?? new Error('It does not open'));
        };
        opening.onsuccess = () => {
          const db = opening.result;
          const asked = db.transaction(from).objectStore(from).getAll();
          asked.onsuccess = () => {
            db.close();
            done(asked.result);
          };
        };
      }),
    [`slipway-${account}`, store] as const,
  );
}

interface Make {
  readonly account: string;
  readonly version: number;
  /** Stores to make where they are not, with what to put into them. */
  readonly rows?: Readonly<Record<string, readonly (readonly [value: unknown, key?: string])[]>>;
  /** Whether the page holds on to it, whoever else wants it. */
  readonly isHeld?: boolean;
}

/** Opens a person's copy as another version of the app would, and puts rows into it. */
export function makeCopy(page: Page, make: Make): Promise<void> {
  return page.evaluate(
    ({ account, version, rows = {}, isHeld = false }) =>
      new Promise<void>((done, fail) => {
        const opening = indexedDB.open(`slipway-${account}`, version);
        opening.onupgradeneeded = () => {
          for (const name of ['chunks', 'rows', 'outbox', 'facts']) {
            if (opening.result.objectStoreNames.contains(name)) continue;
            const keyed = { keyPath: 'seq', autoIncrement: true };
            opening.result.createObjectStore(name, name === 'outbox' ? keyed : undefined);
          }
        };
        opening.onblocked = () => {
          fail(new Error('Another tab holds it'));
        };
        opening.onerror = () => {
          fail(opening.error ?? new Error('It does not open'));
        };
        opening.onsuccess = () => {
          const db = opening.result;
          const writing = db.transaction([...db.objectStoreNames], 'readwrite');
          for (const [name, all] of Object.entries(rows))
            for (const [value, key] of all) writing.objectStore(name).put(value, key);
          writing.oncomplete = () => {
            if (!isHeld) db.close();
            else Object.assign(globalThis, { heldCopy: db });
            done();
          };
        };
      }),
    make,
  );
}

/** Takes `field` out of all projects of a person's copy: an older app kept it, which had no such field. */
export function forgetField(page: Page, account: string, field: string): Promise<void> {
  return page.evaluate(
    ([name, unknown]) =>
      new Promise<void>((done, fail) => {
        const older = (record: { attributes: object }): object => ({
          ...record,
          attributes: Object.fromEntries(
            Object.entries(record.attributes).filter(([key]) => key !== unknown),
          ),
        });
        const opening = indexedDB.open(name);
        opening.onerror = () => {
          fail(opening.error ?? new Error('It does not open'));
        };
        opening.onsuccess = () => {
          const db = opening.result;
          const writing = db.transaction(['chunks', 'rows', 'facts'], 'readwrite');
          for (const store of ['chunks', 'rows'])
            writing.objectStore(store).openCursor().onsuccess = ({ target }) => {
              const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
              if (cursor === null) return;
              const isOfProjects = (cursor.key as string).startsWith('project');
              const value = cursor.value as string & { attributes: object };
              if (isOfProjects && store === 'rows') cursor.update(older(value));
              else if (isOfProjects)
                cursor.update(JSON.stringify((JSON.parse(value) as never[]).map(older)));
              cursor.continue();
            };
          const facts = writing.objectStore('facts');
          const asked = facts.get('facts');
          asked.onsuccess = () => {
            facts.put({ ...(asked.result as object), shape: 1 }, 'facts');
          };
          writing.oncomplete = () => {
            db.close();
            done();
          };
        };
      }),
    [`slipway-${account}`, field] as const,
  );
}

/** Lets go of what `makeCopy` holds. */
export function letGo(page: Page): Promise<void> {
  return page.evaluate(() => {
    (globalThis as unknown as { heldCopy: IDBDatabase }).heldCopy.close();
  });
}

/**
 * Until all that the first load brings is on the disk, of the organization in view where somebody
 * looks at one.
 */
export async function untilWhole(
  page: Page,
  { id }: Pick<Person, 'id'>,
  scope: string | null = null,
): Promise<void> {
  const whole: unknown = expect.objectContaining({
    scope,
    cursor: expect.any(String),
    asOf: expect.any(String),
  });
  await expect.poll(() => rowsIn(page, id, 'facts')).toContainEqual(whole);
}
