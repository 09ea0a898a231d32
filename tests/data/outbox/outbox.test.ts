import { expect } from 'chai';
import type { Backup } from '#data/storage/backup.ts';
import type { Change, ChangeState } from '#data/model/change.ts';
import { Outbox } from '#data/outbox/outbox.ts';

/** Reading what other tabs wrote needs nothing of the backup. */
const noBackup: Backup = null as never;

const aRow = (state: ChangeState): Change => ({
  id: '01990000-0000-7000-8000-000000000001',
  seq: 1,
  userId: '01990000-0000-7000-8000-000000000002',
  operations: [],
  call: null,
  basedOn: null,
  undoes: null,
  base: [],
  theirs: [],
  undo: [],
  says: ['changes.project.edit', { name: 'Harvest' }],
  state,
  problem: null,
  attempts: 1,
  notBefore: null,
  dependsOn: [],
  madeAt: 0,
  schema: 1,
});

async function afterReading(
  here: ChangeState,
  onDisk: readonly ChangeState[],
  isAhead = false,
): Promise<string[]> {
  const outbox = new Outbox(noBackup);
  outbox.restore([aRow(here)]);
  const { ahead } = await outbox.reload(() => Promise.resolve(onDisk.map(aRow)));
  expect(ahead.length > 0, 'the disk lacks it').to.equal(isAhead);
  return Array.from(outbox.rows.all(), ({ state }) => state);
}

describe('[fault 9] a tab that reads the changes another one wrote', () => {
  it('hears that a change is done which it saw being sent', async () => {
    expect(await afterReading('sending', ['done'])).to.deep.equal(['done']);
  });

  it('keeps a verdict that the disk has not heard of yet', async () => {
    expect(await afterReading('refused', ['sending'], true)).to.deep.equal(['refused']);
    expect(await afterReading('sending', ['waiting'], true)).to.deep.equal(['sending']);
  });

  it('lets go of a change that was discarded there', async () => {
    expect(await afterReading('refused', [])).to.deep.equal([]);
  });
});
