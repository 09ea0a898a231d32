import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction, WriteTransaction } from '#server/db/database.ts';
import type { Bus } from '#server/kernel/bus/bus.ts';
import { headOf } from '#server/feed/write-feed.ts';
import { testDatabase } from '../../support/database.ts';
import {
  aCause,
  aMember,
  anOrganization,
  aProject,
  aRecord,
  aUser,
  newId,
} from '../../support/make.ts';

describe('reading', () => {
  let db: Database;

  before(async () => {
    ({ db } = await testDatabase());
  });

  it('gives flat records: to-ones as ids, moments as ISO text, whole numbers as numbers', async () => {
    const project = await aProject(db, { dateArchived: '2026-01-31T09:30:00.000Z' });
    const build = await aRecord(db, 'productBuild', { buildId: 4_294_967_296 });

    expect(project.dateArchived).to.equal('2026-01-31T09:30:00.000Z');
    expect(project.dateCreated).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(project.organization).to.be.a('string');
    expect(project).not.to.have.property('products');
    expect(build.buildId).to.equal(4_294_967_296);
  });

  it('keeps lists, maps and JSON texts as they are', async () => {
    const { id: user } = await aUser(db);
    const notification = await aRecord(db, 'notification', {
      user,
      messageValues: { projectName: 'Harvest "2"', count: 3 },
    });
    const task = await aRecord(db, 'userTask', { user, commands: ['approve', 'reject'] });
    const product = await aRecord(db, 'product', { properties: '{ "b": 1, "a": 2 }' });

    expect(notification.messageValues).to.deep.equal({ projectName: 'Harvest "2"', count: 3 });
    expect(task.commands).to.deep.equal(['approve', 'reject']);
    expect(product.properties).to.equal('{ "b": 1, "a": 2 }');
  });

  it('finds by fields, null too', async () => {
    const project = await aProject(db);
    const others = { organization: project.organization, group: project.group };
    const archived = await aProject(db, { ...others, dateArchived: '2026-01-31T09:30:00.000Z' });
    const find = (dateArchived: string | null) =>
      db.read((tx) => tx.all('project', { organization: project.organization, dateArchived }));

    expect((await find(null)).map(({ id }) => id)).to.deep.equal([project.id]);
    expect((await find(archived.dateArchived)).map(({ id }) => id)).to.deep.equal([archived.id]);
  });

  it('is of one moment, whatever is written meanwhile', async () => {
    const user = await aUser(db, { name: 'Before' });
    const nameOf = async (tx: DatabaseTransaction) => (await tx.one('user', user.id))?.name;
    const begun = new EventEmitter();
    const writing = once(begun, 'read').then(() =>
      db.write(aCause(), (w) => w.change('user', user.id, { name: 'After' })),
    );

    const seen = await db.read(async (tx) => {
      const first = await nameOf(tx);
      begun.emit('read');
      // The embedded database is one session: there the write waits for this transaction's end.
      if (db.kind === 'postgres') await writing;
      return [first, await nameOf(tx)];
    });
    await writing;

    expect(seen).to.deep.equal(['Before', 'Before']);
    expect(await db.read(nameOf)).to.equal('After');
  });

  it('cannot write', async () => {
    const { id } = await aUser(db);
    const code = await db
      .read((tx) => tx.query(sql`update users set name = 'X' where id = ${id}`))
      .catch((error: unknown) => (error as { code: unknown }).code);

    expect(code).to.equal('25006');
  });

  it('is not begun inside another transaction, where it would wait for ever', async () => {
    const error = await db
      .write(aCause(), () => db.read(() => Promise.resolve('never')))
      .catch((reason: unknown) => reason);

    expect(String(error)).to.contain('inside another');
  });

  it('ends with the transaction', async () => {
    const tx = await db.read((open) => Promise.resolve(open));
    const error = await tx.query(sql`select 1`).catch((reason: unknown) => reason);

    expect(String(error)).to.contain('after its end');
  });
});

describe('writing', () => {
  let db: Database;
  let bus: Bus;

  before(async () => {
    ({ db, bus } = await testDatabase());
  });

  const userNow = (id: string) => db.read((tx) => tx.one('user', id));

  it('stamps every record it touches with one number, that of the commit, and with the time of its cause', async () => {
    const [id, other] = [newId(), newId()];
    const at = Date.UTC(2026, 0, 31, 9, 30);
    const n = await db.write({ ...aCause(), at }, async (w) => {
      await w.insert('user', { id });
      await w.insert('user', { id: other });
      return w.n;
    });

    const [one, two] = [await userNow(id), await userNow(other)];
    expect([one?.version, two?.version]).to.deep.equal([n, n]);
    expect(one?.dateCreated).to.equal('2026-01-31T09:30:00.000Z');
    expect(one?.dateUpdated).to.equal('2026-01-31T09:30:00.000Z');
  });

  it('moves the version on with each change, and the date unless it is to stay', async () => {
    const user = await aUser(db);
    await db.write({ ...aCause(), at: Date.UTC(2030, 0, 1) }, (w) =>
      w.change('user', user.id, { phone: '1' }),
    );
    await db.write({ ...aCause(), at: Date.UTC(2031, 0, 1) }, (w) =>
      w.change('user', user.id, { phone: '2' }, { keepsDate: true }),
    );

    const now = await userNow(user.id);
    expect(now?.version).to.be.greaterThan(user.version + 1);
    expect(now?.dateUpdated).to.equal('2030-01-01T00:00:00.000Z');
    expect(now?.dateCreated).to.equal(user.dateCreated);
  });

  it('gives a new record the fallbacks of the schema', async () => {
    const user = await aUser(db);

    expect(user.profileVisibility).to.equal(1);
    expect(user.emailNotification).to.equal(true);
    expect(user.isLocked).to.equal(false);
    expect(user.phone).to.equal(null);
  });

  it('keeps the fold of lines and of the display name beside them', async () => {
    const { id } = await aUser(db, { name: null, givenName: 'Zoë', familyName: 'ÅNGSTRÖM' });
    const keys = () =>
      db.read(async (tx) => {
        const [row] = await tx.query(
          sql<object>`select name_key, family_name_key, display_name_key from users where id = ${id}`,
        );
        return row;
      });

    expect(await keys()).to.deep.equal({
      name_key: null,
      family_name_key: 'angstrom',
      display_name_key: 'zoe angstrom',
    });
    await db.write(aCause(), (w) => w.change('user', id, { name: 'Ana' }));
    expect(await keys()).to.deep.include({ name_key: 'ana', display_name_key: 'ana' });
  });

  it('does all or nothing', async () => {
    const id = newId();
    const head = await db.read(headOf);
    const error = await db
      .write(aCause(), async (w) => {
        await w.insert('user', { id });
        throw new Error('Not this');
      })
      .catch((reason: unknown) => reason);

    expect(String(error)).to.contain('Not this');
    expect(await userNow(id)).to.equal(null);
    expect(await db.read(headOf)).to.deep.equal(head);
  });

  it('undoes a savepoint alone, with its news and what was to follow it', async () => {
    const [kept, undone] = [newId(), newId()];
    const followed: string[] = [];
    const n = await db.write(aCause(), async (w) => {
      await w.insert('user', { id: kept });
      w.afterCommit(() => followed.push('kept'));
      await w
        .savepoint(async () => {
          await w.insert('user', { id: undone });
          await w.change('user', kept, { name: 'Undone' });
          w.afterCommit(() => followed.push('undone'));
          await w.insert('user', { id: kept });
        })
        .catch(() => undefined);
      return w.n;
    });

    const told = await db.read((tx) =>
      tx.query(sql<{ readonly id: string }>`select id, op from feed where n = ${n}`),
    );
    expect(told).to.deep.equal([{ id: kept, op: 'add' }]);
    expect((await userNow(kept))?.name).to.equal(null);
    expect(await userNow(undone)).to.equal(null);
    expect(followed).to.deep.equal(['kept']);
  });

  it('reads what it has written, in lists too, and again what was there when that is undone', async () => {
    const organization = await anOrganization(db);
    const { id: user } = await aUser(db, { name: 'First' });
    const member = { user, organization: organization.id };
    const seen = async (w: WriteTransaction) => [
      (await w.one('user', user))?.name,
      (await w.all('organizationMembership', member)).length,
    ];

    const read = await db.write(aCause(), async (w) => {
      const states = [await seen(w)];
      await w
        .savepoint(async () => {
          await w.change('user', user, { name: 'Second' });
          await w.savepoint(() => w.insert('organizationMembership', { id: newId(), ...member }));
          states.push(await seen(w));
          throw new Error('Undone');
        })
        .catch(() => undefined);
      states.push(await seen(w));
      await w.change('user', user, { name: 'Third' });
      return [...states, await seen(w)];
    });

    expect(read).to.deep.equal([
      ['First', 0],
      ['Second', 1],
      ['First', 0],
      ['Third', 0],
    ]);
  });

  it('takes no number when it touches no record', async () => {
    const head = await db.read(headOf);
    await db.write(aCause(), (w) => w.all('role', {}));
    await db.write(aCause(), async (w) => {
      const id = newId();
      await w.insert('user', { id });
      await w.remove('user', id);
    });

    expect(await db.read(headOf)).to.deep.equal(head);
  });

  it('tells the bus once the commit can be read', async () => {
    const id = newId();
    const received: number[] = [];
    const stop = bus.subscribe((n) => received.push(n));
    const n = await db.write(aCause(), async (w) => {
      await w.insert('user', { id });
      expect(received).not.to.include(w.n);
      return w.n;
    });
    stop();

    expect(received).to.include(n);
  });

  it('is serial: of many writers at once each sees what the one before it left', async () => {
    const user = await aUser(db, { phone: '0' });
    const addOne = () =>
      db.write(aCause(), async (w) => {
        const now = await w.one('user', user.id);
        await w.change('user', user.id, { phone: String(Number(now?.phone) + 1) });
      });
    await Promise.all(Array.from({ length: 40 }, addOne));

    expect((await userNow(user.id))?.phone).to.equal('40');
  });

  it('lets one of two in who both add the same membership after looking for it', async () => {
    const organization = await anOrganization(db);
    const { id: user } = await aUser(db);
    const join = () =>
      db.write(aCause(), async (w) => {
        const there = await w.all('organizationMembership', {
          user,
          organization: organization.id,
        });
        if (there.length > 0) return 'there';
        await w.insert('organizationMembership', {
          id: newId(),
          user,
          organization: organization.id,
        });
        return 'joined';
      });

    expect((await Promise.all([join(), join(), join()])).sort()).to.deep.equal([
      'joined',
      'there',
      'there',
    ]);
  });

  it('never gives a project to someone who is leaving the organization at the same time', async () => {
    const project = await aProject(db);
    const { id: user } = await aMember(db, project.organization, { groups: [project.group] });
    const [membership] = await db.read((tx) => tx.all('organizationMembership', { user }));
    const leave = () =>
      db.write(aCause(), (w) => w.remove('organizationMembership', membership?.id ?? ''));
    const give = () =>
      db.write(aCause(), async (w) => {
        if ((await w.all('groupMembership', { user, group: project.group })).length === 0) return;
        await w.change('project', project.id, { owner: user });
      });
    await Promise.all([leave(), give()]);
    await give();

    const owned = await db.read((tx) => tx.all('project', { owner: user }));
    const [version] = owned.map((record) => record.version);
    const left = await db.read((tx) =>
      tx.query(sql<{ readonly n: number }>`select n from tombstones where id = ${membership?.id}`),
    );
    expect(version ?? 0).to.be.lessThan(left[0]?.n ?? 0);
  });

  it('numbers commits without gaps, in their order, whoever writes', async () => {
    const head = await db.read(headOf);
    const ids = Array.from({ length: 30 }, newId);
    await Promise.all(ids.map((id) => db.write(aCause(), (w) => w.insert('user', { id }))));

    const rows = await db.read((tx) =>
      tx.query(
        sql<{ readonly n: number }>`select distinct n from feed where n > ${head.n} order by n`,
      ),
    );
    expect(rows.map(({ n }) => n)).to.deep.equal(ids.map((_, index) => head.n + 1 + index));
  });
});

describe('tables that are no resources', () => {
  it('are written without waiting for a writer of records', async () => {
    const { db } = await testDatabase();
    const begun = new EventEmitter();
    const stored = once(begun, 'written').then(() =>
      db.transact((tx) =>
        tx.query(
          sql`insert into limit_counts (key, ends_at, count)
            values (${newId()}, now() + interval '1 minute', 1) returning key`,
        ),
      ),
    );
    await db.write(aCause(), async (w) => {
      await w.insert('user', { id: newId() });
      begun.emit('written');
      // The embedded database is one session: there it waits for this transaction's end.
      if (db.kind === 'postgres') await stored;
    });

    expect(await stored).to.have.length(1);
  });
});
