import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { Database } from '#server/database/database.ts';
import { freshPlace, openAt } from '../../support/database.ts';
import type { Place } from '../../support/database.ts';
import { aUser } from '../../support/make.ts';

describe('[wire 9.3] the name of a database', () => {
  const places: Place[] = [];
  const aPlace = async (url?: string) => {
    const place = await freshPlace(url);
    places.push(place);
    return place;
  };
  after(async () => {
    await Promise.all(places.map((place) => place.remove()));
  });

  /** The name that it has while `work` is done, opened and closed as by a server. */
  const nameDuring = async (
    place: Pick<Place, 'databaseUrl' | 'dataDir'>,
    work: (db: Database) => Promise<unknown> = () => Promise.resolve(),
  ) => {
    const { db, close } = await openAt(place);
    await work(db);
    await close();
    return db.identity;
  };

  it('stays when the server starts again', async () => {
    const place = await aPlace();
    const first = await nameDuring(place, (db) => aUser(db));
    expect(await nameDuring(place, (db) => aUser(db))).to.equal(first);
    expect(await nameDuring(place)).to.equal(first);
  });

  it('is another once it knows less than the server has seen: it was restored', async () => {
    const place = await aPlace();
    const first = await nameDuring(place, async (db) => {
      await aUser(db);
      await aUser(db);
      // As a backup has it that was made before the last commit.
      await db.transact((tx) => tx.query(sql`update feed_head set n = n - 1`));
      await db.transact((tx) =>
        tx.query(sql`delete from feed where n > (select n from feed_head)`),
      );
      await db.transact((tx) =>
        tx.query(sql`delete from feed_marks where n > (select n from feed_head)`),
      );
    });
    const second = await nameDuring(place);
    expect(second)
      .to.match(/^[a-z0-9]{8}$/)
      .and.not.equal(first);
    expect(await nameDuring(place, (db) => aUser(db))).to.equal(second);
  });

  it('is another in a folder that was copied, as a backup of it is', async () => {
    const place = await aPlace('');
    const first = await nameDuring(place, (db) => aUser(db));
    const copied = mkdtempSync(join(tmpdir(), 'slipway-test-'));
    cpSync(place.dataDir, copied, { recursive: true });

    const second = await nameDuring({ databaseUrl: null, dataDir: copied });
    rmSync(copied, { recursive: true, force: true });
    expect(second).not.to.equal(first);
    expect(await nameDuring(place)).to.equal(first);
  });

  it('is given once, however many servers find it restored at the same time', async function () {
    const place = await aPlace();
    if (place.databaseUrl === null) return;
    const other = await aPlace('');
    const places = [place, { ...place, dataDir: other.dataDir }];
    const [first] = await Promise.all(places.map((one) => nameDuring(one, (db) => aUser(db))));
    await nameDuring(places[0] ?? place, async (db) => {
      await db.transact((tx) => tx.query(sql`update feed_head set n = 0`));
      await db.transact((tx) => tx.query(sql`delete from feed_marks where n > 0`));
      await db.transact((tx) =>
        tx.query(sql`insert into feed_marks values (0, 'restored')
        on conflict do nothing`),
      );
      await db.transact((tx) => tx.query(sql`delete from feed`));
    });

    const names = await Promise.all(places.map((one) => nameDuring(one)));
    expect(new Set(names).size).to.equal(1);
    expect(names[0]).not.to.equal(first);
  });
});
