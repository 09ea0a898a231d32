import { expect } from 'chai';
import { recordedOf, recordVerdicts, verdictOf } from '#server/db/changes.ts';
import type { Database } from '#server/db/database.ts';
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
      const known = (await recordedOf<{ status: number; user: string }>(w, by, [id])).get(id);
      if (known !== undefined) return { is: 'known', ...known };
      const user = newId();
      await w.insert('user', { id: user });
      const verdict = { status: 201, user };
      await recordVerdicts(w, by, [{ id, digest, verdict }]);
      return { is: 'done', digest, verdict };
    });

  it('is done once, and answered from the record when it comes again', async () => {
    const id = newId();
    const first = await send(id, 'a');
    const again = await send(id, 'a');

    expect(first.is).to.equal('done');
    expect(again).to.deep.equal({ ...first, is: 'known' });
  });

  it('is done once when copies of it arrive at the same time: they wait for the first', async () => {
    const id = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(id, 'a')));

    expect(answers.filter(({ is }) => is === 'done')).to.have.length(1);
    expect(answers.filter(({ is }) => is === 'known')).to.have.length(7);
  });

  it('is known with the content that it had', async () => {
    const id = newId();
    await send(id, 'a');

    expect((await send(id, 'b')).digest).to.equal('a');
  });

  it('is looked up and written down many at a time', async () => {
    const [known, fresh] = [newId(), newId()];
    await send(known, 'a');
    const found = await db.write(aCause(author), (w) => recordedOf(w, author, [known, fresh]));

    expect([...found.keys()]).to.deep.equal([known]);
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
        await recordVerdicts(w, author, [{ id, digest: 'a', verdict: { status: 200 } }]);
        throw new Error('Undone');
      })
      .catch(() => undefined);

    expect(await db.read((tx) => verdictOf(tx, author, id))).to.equal(null);
  });
});
