import { expect } from 'chai';
import { freshPlace } from '../../support/database.ts';
import type { Place } from '../../support/database.ts';
import { killAndLook } from '../../support/killing.ts';

/** More with `KILLS`; each costs the start of a process and of a database, twice. */
const KILLS = Number(process.env.KILLS ?? 2);

describe('a process that is killed while it writes', () => {
  let place: Place;

  before(async () => {
    place = await freshPlace();
  });

  after(async () => {
    await place.remove();
  });

  for (let kill = 1; kill <= KILLS; kill += 1) {
    it(`loses no acknowledged write and leaves none half done, kill ${kill} of ${KILLS}`, async function () {
      this.timeout(120_000);
      const round = await killAndLook(place, 1 + ((kill * 97) % 211));

      expect(round.lost).to.deep.equal([]);
      expect(round.torn).to.deep.equal([]);
      expect(round.isGapless).to.equal(true);
      if (process.env.KILLS !== undefined)
        process.stdout.write(`      ${round.writesPerSecond} writes/s\n`);
    });
  }
});
