import { expect } from 'chai';
import { IDBFactory } from 'fake-indexeddb';
import { createDurableLocalStorage } from '#session/durable-local-storage.ts';

/** Storage of a browser that was killed before anything of it reached the disk. */
function emptyStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => {
      values.clear();
    },
  };
}

describe('[fault 36] what the session keeps, in a browser that is killed', () => {
  const tokens = 'oidc.user:http://localhost:3000/oidc:slipway-web';

  it('is put back at the next start [R222]', async () => {
    const device = new IDBFactory();
    const before = createDurableLocalStorage(emptyStorage(), device);
    before.setItem(tokens, '{"access_token":"a"}');
    await before.flushed();

    const after = createDurableLocalStorage(emptyStorage(), device);
    await after.restore();

    expect(after.getItem(tokens)).to.equal('{"access_token":"a"}');
  });

  it('stays away once it was removed', async () => {
    const device = new IDBFactory();
    const before = createDurableLocalStorage(emptyStorage(), device);
    before.setItem(tokens, '{}');
    before.removeItem(tokens);
    await before.flushed();

    const after = createDurableLocalStorage(emptyStorage(), device);
    await after.restore();

    expect(after.getItem(tokens)).to.equal(null);
  });

  it('[fault 13] is done without where the browser refuses to open a database at all', async () => {
    const refusing = new IDBFactory();
    refusing.open = () => {
      throw new DOMException('Not in this window', 'SecurityError');
    };
    const kept = emptyStorage();
    const durable = createDurableLocalStorage(kept, refusing);
    await durable.restore();
    durable.setItem(tokens, '{"access_token":"a"}');
    await durable.flushed();
    expect(kept.getItem(tokens)).to.equal('{"access_token":"a"}');
  });

  it('[fault 15] goes on with another database where the browser closed the one there was', async () => {
    const device = new IDBFactory();
    const open = device.open.bind(device);
    const opened: IDBOpenDBRequest[] = [];
    device.open = (...given) => {
      const request = open(...given);
      opened.push(request);
      return request;
    };
    const durable = createDurableLocalStorage(emptyStorage(), device);
    await durable.restore();
    opened[0]?.result.close();
    durable.setItem(tokens, '{"access_token":"lost"}');
    await durable.flushed();
    durable.setItem(tokens, '{"access_token":"a"}');
    await durable.flushed();

    const after = createDurableLocalStorage(emptyStorage(), device);
    await after.restore();
    expect(after.getItem(tokens)).to.equal('{"access_token":"a"}');
  });

  it('never replaces what the storage did keep', async () => {
    const device = new IDBFactory();
    const before = createDurableLocalStorage(emptyStorage(), device);
    before.setItem(tokens, '{"access_token":"old"}');
    await before.flushed();
    const kept = emptyStorage();
    kept.setItem(tokens, '{"access_token":"new"}');

    const after = createDurableLocalStorage(kept, device);
    await after.restore();

    expect(after.getItem(tokens)).to.equal('{"access_token":"new"}');
  });

  it('does without where there is no database', async () => {
    const durable = createDurableLocalStorage(emptyStorage(), null);
    durable.setItem(tokens, '{}');
    await durable.restore();
    await durable.flushed();

    expect(durable.getItem(tokens)).to.equal('{}');
  });
});
