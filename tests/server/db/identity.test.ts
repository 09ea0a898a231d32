import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
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

  /** Returns the name that it has while `work` runs, opened and closed as by a server. */
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

  it('stays when it comes back from a backup: by the marks of its commits that shows', async () => {
    const place = await aPlace();
    const first = await nameDuring(place, async (db) => {
      await aUser(db);
      // The tables are as in a backup from before the last commit.
      for (const table of ['feed', 'feed_marks'])
        await db.transact((tx) =>
          tx.query(sql`delete from ${sql.table(table)} where n = (select n from feed_head)`),
        );
      await db.transact((tx) => tx.query(sql`update feed_head set n = n - 1`));
    });
    expect(await nameDuring(place, (db) => aUser(db))).to.equal(first);
  });

  it('is that of the folder in a copy of it too', async () => {
    const place = await aPlace('');
    const first = await nameDuring(place, (db) => aUser(db));
    const copied = mkdtempSync(join(tmpdir(), 'slipway-test-'));
    cpSync(place.dataDir, copied, { recursive: true });
    const second = await nameDuring({ databaseUrl: null, dataDir: copied });
    rmSync(copied, { recursive: true, force: true });
    expect(second).to.equal(first);
  });
});
