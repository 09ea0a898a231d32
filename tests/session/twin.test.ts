import { expect } from 'chai';
import { IDBFactory } from 'fake-indexeddb';
import { twinOf } from '#session/twin.ts';

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

describe('what the session keeps, in a browser that is killed', () => {
  const tokens = 'oidc.user:http://localhost:3000/oidc:slipway-web';

  it('is put back at the next start', async () => {
    const device = new IDBFactory();
    const before = twinOf(emptyStorage(), device);
    before.setItem(tokens, '{"access_token":"a"}');
    await before.settled();

    const after = twinOf(emptyStorage(), device);
    await after.restore();

    expect(after.getItem(tokens)).to.equal('{"access_token":"a"}');
  });

  it('stays away once it was removed', async () => {
    const device = new IDBFactory();
    const before = twinOf(emptyStorage(), device);
    before.setItem(tokens, '{}');
    before.removeItem(tokens);
    await before.settled();

    const after = twinOf(emptyStorage(), device);
    await after.restore();

    expect(after.getItem(tokens)).to.equal(null);
  });

  it('never replaces what the storage did keep', async () => {
    const device = new IDBFactory();
    const before = twinOf(emptyStorage(), device);
    before.setItem(tokens, '{"access_token":"old"}');
    await before.settled();
    const kept = emptyStorage();
    kept.setItem(tokens, '{"access_token":"new"}');

    const after = twinOf(kept, device);
    await after.restore();

    expect(after.getItem(tokens)).to.equal('{"access_token":"new"}');
  });

  it('does without where there is no database', async () => {
    const twin = twinOf(emptyStorage(), null);
    twin.setItem(tokens, '{}');
    await twin.restore();
    await twin.settled();

    expect(twin.getItem(tokens)).to.equal('{}');
  });
});
