import { expect } from 'chai';
import fc from 'fast-check';
import type { Touch } from '#data/store/store.ts';
import { RecordStore } from '#data/store/store.ts';
import type { StoreOperation, StoreRecord } from '#data/model/record.ts';

const IDS = ['a', 'b', 'c', 'd'].map((letter) => `01970000-0000-7000-8000-00000000000${letter}`);
const anId = fc.constantFrom(...IDS);

const aRecord: fc.Arbitrary<StoreRecord> = fc.record({
  type: fc.constantFrom('group' as const, 'project' as const),
  id: anId,
  attributes: fc.record({ name: fc.string({ maxLength: 3 }) }),
  relationships: fc.record({
    owner: fc.option(anId).map((id) => ({ data: id === null ? null : { type: 'user', id } })),
  }),
  meta: fc.record({ version: fc.nat(9) }),
});

/** The store's answers to every kind of query. */
function answers(store: RecordStore): unknown {
  return (['group', 'project'] as const).map((type) => ({
    all: [...store.all(type)].sort((a, b) => (a.id < b.id ? -1 : 1)),
    one: IDS.map((id) => store.record({ type, id })),
    children: IDS.map((id) => [...store.children(type, 'owner', id)].sort()),
    query: [...(store.cache.query((q) => q.findRecords(type)) as unknown as StoreRecord[])].length,
  }));
}

describe('many records at once', () => {
  it('leave the store as one operation after the other does, record for record', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(aRecord, { maxLength: 12 }), { maxLength: 4 }),
        fc.array(anId),
        (batches, gone) => {
          const [bulk, single, queried] = [new RecordStore(), new RecordStore(), new RecordStore()];
          // One is asked for children before anything is there, the others after.
          answers(queried);
          for (const batch of batches) {
            const last = new Map(batch.map((record) => [`${record.type}:${record.id}`, record]));
            for (const store of [bulk, queried])
              store.apply({ set: [...last.values()], remove: [] });
            for (const record of batch) single.apply({ set: [record], remove: [] });
          }
          const remove = gone.map((id) => ({ type: 'project' as const, id }));
          for (const store of [bulk, queried]) store.apply({ set: [], remove });
          for (const identity of remove) single.apply({ set: [], remove: [identity] });
          expect(answers(bulk)).to.deep.equal(answers(single));
          expect(answers(queried)).to.deep.equal(answers(single));
        },
      ),
    );
  });

  it('are one batch to listeners and a patch each to Orbit’s', () => {
    const store = new RecordStore();
    const batches: (readonly Touch[])[] = [];
    const patches: StoreOperation[] = [];
    store.onBatch((touched) => batches.push(touched));
    store.cache.on('patch', (operation: unknown) => patches.push(operation as StoreOperation));
    const [first, second] = fc.sample(aRecord, { numRuns: 2, seed: 1 }).map((record, i) => ({
      ...record,
      id: IDS[i] ?? '',
    }));
    if (first === undefined || second === undefined) throw new Error('Nothing was sampled');
    store.apply({ set: [first, second], remove: [] });
    store.apply({ set: [first], remove: [second] });
    expect(batches.map((touched) => touched.map(({ id }) => id))).to.deep.equal([
      [first.id, second.id],
      [second.id],
    ]);
    expect(patches.map(({ op }) => op)).to.deep.equal([
      'updateRecord',
      'updateRecord',
      'removeRecord',
    ]);
  });
});
