import { expect } from 'chai';
import fc from 'fast-check';
import { Backup } from '#data/storage/backup.ts';
import type { Change } from '#data/model/change.ts';
import type { CopyMetadata } from '../../../src/data/model/server-update.ts';
import { RECORD_SHAPE } from '#data/storage/stored-record.ts';
import { keyOf, patchOf } from '#data/model/record.ts';
import type { StoreRecord } from '#data/model/record.ts';
import { Device, turns } from '../../support/device.ts';
import { answered, FaultyIndexedDB } from '../../support/faulty-indexeddb.ts';
import type { StorageTab } from '../../support/faulty-indexeddb.ts';
import { recordOf } from '../../support/records.ts';
import { ScriptedServer } from '../../support/scripted-server.ts';

const idOf = (number: number): string =>
  `01970000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

function aRole(number: number, version: number): StoreRecord {
  const fields = recordOf('role', { id: idOf(number) });
  return { ...(patchOf('role', fields.id, fields) as StoreRecord), meta: { version } };
}

/** One tab's backup; its time passes as `device` says. */
function opened(device: Device, tab: StorageTab): Backup {
  return new Backup({ ...device.environment(), indexedDB: tab.factory }, 'ana');
}

/** Reads what a start would show. */
async function reread(storage: FaultyIndexedDB): Promise<Read> {
  const backup = opened(new Device(new ScriptedServer()), storage.tab());
  const { facts, rows, chunks } = await backup.restore();
  const records = new Map<string, number>();
  for (const record of await backup.chunks([...chunks.values()].flat()))
    records.set(keyOf(record), record.meta.version);
  for (const [key, record] of rows) {
    if (record === null) records.delete(key);
    else records.set(key, record.meta.version);
  }
  expect(await backup.removeDamaged()).to.equal(false);
  await backup.close();
  return { cursor: facts.cursor, records };
}

interface Read {
  readonly cursor: string | null;
  readonly records: ReadonlyMap<string, number>;
}

type Step =
  | { readonly is: 'news'; readonly numbers: readonly number[]; readonly gone: readonly number[] }
  | { readonly is: 'bulk'; readonly from: number; readonly count: number }
  /** What comes after it comes so many microtasks later; null: once it is over. */
  | { readonly is: 'fold'; readonly goesOnAfter: number | null };

const aNumber = fc.nat({ max: 400 });
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    is: fc.constant('news' as const),
    numbers: fc.array(aNumber, { maxLength: 6 }),
    gone: fc.array(aNumber, { maxLength: 3 }),
  }),
  fc.record({
    is: fc.constant('bulk' as const),
    from: fc.nat({ max: 200 }),
    count: fc.integer({ min: 100, max: 200 }),
  }),
  fc.record({
    is: fc.constant('fold' as const),
    goesOnAfter: fc.option(fc.nat({ max: 6 })),
  }),
);

/** Everything that was ever true here, in order: what is on disk must be one of these. */
class Model {
  readonly #records = new Map<string, StoreRecord>();
  readonly past: Read[] = [{ cursor: null, records: new Map() }];
  #n = 0;

  get records(): readonly StoreRecord[] {
    return [...this.#records.values()];
  }

  get facts(): Partial<CopyMetadata> {
    return { cursor: this.#n === 0 ? null : `c${this.#n}` };
  }

  take(set: readonly StoreRecord[], gone: readonly StoreRecord[]): void {
    for (const record of set) this.#records.set(keyOf(record), record);
    for (const record of gone) this.#records.delete(keyOf(record));
    this.#n += 1;
    const records = new Map(this.records.map((record) => [keyOf(record), record.meta.version]));
    this.past.push({ cursor: `c${this.#n}`, records });
  }
}

/** As a merge hands over what came in. */
function byKey(
  set: readonly StoreRecord[],
  gone: readonly StoreRecord[],
): ReadonlyMap<string, StoreRecord | null> {
  return new Map([
    ...set.map((record) => [keyOf(record), record] as const),
    ...gone.map((record) => [keyOf(record), null] as const),
  ]);
}

async function run(backup: Backup, model: Model, steps: readonly Step[]): Promise<void> {
  await backup.claim();
  let folding = Promise.resolve();
  for (const [i, step] of steps.entries()) {
    if (step.is === 'fold') {
      // There is one at a time.
      await folding;
      folding = backup.compact(() => ({ records: model.records, facts: model.facts }));
      if (step.goesOnAfter === null) await folding;
      for (let n = 0; n < (step.goesOnAfter ?? 0); n += 1) await Promise.resolve();
      continue;
    }
    const numbers =
      step.is === 'news'
        ? step.numbers
        : Array.from({ length: step.count }, (_, n) => step.from + n);
    const gone = (step.is === 'news' ? step.gone : []).map((number) => aRole(number, i + 1));
    const set = [...new Set(numbers)]
      .map((number) => aRole(number, i + 1))
      .filter((record) => !gone.some((other) => other.id === record.id));
    model.take(set, gone);
    backup.enqueue({ records: byKey(set, gone), facts: model.facts });
    // Some are written together, some alone.
    if (i % 3 > 0) await backup.flush();
  }
  await folding;
  await backup.flush();
}

describe('what waits for the copy to be written', () => {
  it('waits for what was handed over before, and not for an end of what comes after', async () => {
    const backup = opened(new Device(new ScriptedServer()), new FaultyIndexedDB().tab());
    await backup.restore();
    const change = { seq: 1, id: idOf(1) } as Change;
    const updates = { isComing: true };
    // As soon as something is written, there is more.
    backup.onWritten = () => {
      if (updates.isComing) backup.enqueue({ changes: [change] });
    };
    backup.enqueue({ changes: [change] });
    let isSettled = false;
    void backup.flush().then(() => (isSettled = true));
    await turns(100);
    updates.isComing = false;
    expect(isSettled).to.equal(true);
    await backup.close();
  });
});

describe('what the server said, on this device', () => {
  it('reads back as it was written, however it was written and folded', () =>
    fc.assert(
      fc.asyncProperty(fc.array(aStep, { maxLength: 12 }), async (steps) => {
        const storage = new FaultyIndexedDB();
        const model = new Model();
        const backup = opened(new Device(new ScriptedServer()), storage.tab());
        await run(backup, model, steps);
        await backup.close();
        expect(await reread(storage)).to.deep.equal(model.past.at(-1));
      }),
      { numRuns: 40 },
    ));

  it('[fault 34] has what came back while its removal was written and the copy folded', async () => {
    const lost: number[] = [];
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const storage = new FaultyIndexedDB();
      const model = new Model();
      const backup = opened(new Device(new ScriptedServer()), storage.tab());
      const later = (set: readonly StoreRecord[], gone: readonly StoreRecord[]) => {
        model.take(set, gone);
        backup.enqueue({ records: byKey(set, gone), facts: model.facts });
      };
      await backup.claim();
      later([aRole(1, 1)], []);
      await backup.flush();
      later([], [aRole(1, 1)]);
      const folding = backup.compact(() => ({ records: model.records, facts: model.facts }));
      for (let n = 0; n < ticks; n += 1) await Promise.resolve();
      later([aRole(1, 3)], []);
      await folding;
      await backup.flush();
      later([aRole(2, 4)], []);
      await backup.flush();
      await backup.close();
      const { records } = await reread(storage);
      if (records.get(keyOf(aRole(1, 3))) !== 3) lost.push(ticks);
    }
    expect(lost).to.deep.equal([]);
  });

  it('is some moment of the past, whole, when the tab dies between any two operations', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 1, maxLength: 10 }),
        fc.nat({ max: 120 }),
        async (steps, killedAfter) => {
          const storage = new FaultyIndexedDB();
          const model = new Model();
          const tab = storage.tab();
          tab.killAfter(killedAfter);
          const backup = opened(new Device(new ScriptedServer()), tab);
          const killed = tab.killed;
          await Promise.race([run(backup, model, steps), killed]);
          tab.kill();
          expect(model.past).to.deep.include(await reread(storage));
        },
      ),
      { numRuns: 60 },
    ));

  it('goes on where it was after what could not be written, without asking hot', async () => {
    const storage = new FaultyIndexedDB();
    const device = new Device(new ScriptedServer());
    const backup = opened(device, storage.tab());
    const model = new Model();
    await run(backup, model, [{ is: 'news', numbers: [1, 2], gone: [] }]);
    let tries = 0;
    const heal = storage.fail({
      at: 'commit',
      name: 'QuotaExceededError',
      onHit: () => (tries += 1),
    });
    model.take([aRole(3, 9)], [aRole(1, 9)]);
    backup.enqueue({ records: byKey([aRole(3, 9)], [aRole(1, 9)]), facts: model.facts });
    await backup.flush();
    expect(await reread(storage)).to.deep.equal(model.past.at(-2));
    await device.pass(60_000);
    expect(tries).to.be.within(2, 6);
    heal();
    await device.pass(600_000);
    await backup.flush();
    expect(await reread(storage)).to.deep.equal(model.past.at(-1));
    await backup.close();
  });

  it('is read afresh when records had another form', async () => {
    const storage = new FaultyIndexedDB();
    const backup = opened(new Device(new ScriptedServer()), storage.tab());
    const model = new Model();
    await run(backup, model, [{ is: 'news', numbers: [1, 2], gone: [] }]);
    expect((await backup.restore()).facts).to.include({ cursor: 'c1', shape: RECORD_SHAPE });
    await backup.close();
    const db = await answered(storage.inner.open('slipway-ana'));
    const facts = db.transaction('facts', 'readwrite').objectStore('facts');
    await answered(facts.put({ cursor: 'c1', shape: RECORD_SHAPE + 1 }, 'facts'));
    db.close();
    const read = await reread(storage);
    expect(read.cursor).to.equal(null);
    expect(read.records).to.deep.equal(model.past.at(-1)?.records);
  });
});
