import { expect } from 'chai';
import { claimChange, recordVerdict, verdictOf } from '#server/database/changes.ts';
import type { Database } from '#server/database/database.ts';
import { testDatabase } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';

describe('[7.3] a change and its id', () => {
  let db: Database;
  const author = newId();

  before(async () => {
    ({ db } = await testDatabase());
  });

  const send = (id: string, digest: string, by = author) =>
    db.write(aCause(by, id), async (w) => {
      const claim = await claimChange<{ status: number }>(w, id, by, digest);
      if (claim.is !== 'new') return claim;
      const user = newId();
      await w.insert('user', { id: user });
      await recordVerdict(w, id, by, digest, { status: 201, user });
      return { is: 'done', user };
    });

  it('is done once, and answered from the record when it comes again', async () => {
    const id = newId();
    const first = await send(id, 'a');
    const again = await send(id, 'a');

    expect(first.is).to.equal('done');
    expect(again).to.deep.equal({
      is: 'known',
      verdict: { status: 201, user: 'user' in first ? first.user : '' },
    });
  });

  it('is done once when copies of it arrive at the same time: they wait for the first', async () => {
    const id = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(id, 'a')));

    expect(answers.filter(({ is }) => is === 'done')).to.have.length(1);
    expect(answers.filter(({ is }) => is === 'known')).to.have.length(7);
  });

  it('is not answered for other content', async () => {
    const id = newId();
    await send(id, 'a');

    expect(await send(id, 'b')).to.deep.equal({ is: 'reused' });
  });

  it('belongs to its author: the same id of another person is another change', async () => {
    const id = newId();
    await send(id, 'a');

    expect((await send(id, 'a', newId())).is).to.equal('done');
  });

  it('leaves no verdict when its effect is undone', async () => {
    const id = newId();
    await db
      .write(aCause(author, id), async (w) => {
        await recordVerdict(w, id, author, 'a', { status: 200 });
        throw new Error('Undone');
      })
      .catch(() => undefined);

    expect(await db.read((tx) => verdictOf(tx, author, id))).to.equal(null);
  });
});
