import { expect } from 'chai';
import { migratedPlace } from '../support/database.ts';
import type { Place } from '../support/database.ts';
import { killInTheMiddle, lookAtLast, startCrowd } from '../support/server-kills.ts';
import type { Crowd, Kill } from '../support/server-kills.ts';

/** More with `KILLS`; each costs a start of the server. */
const KILLS = Number(process.env.KILLS ?? 2);
const WITHIN_MS = 180_000;

const postgres = process.env.DATABASE_URL ?? '';
const databases = { embedded: '', ...(postgres === '' ? {} : { PostgreSQL: postgres }) };

for (const [name, url] of Object.entries(databases)) {
  describe(`a server that is killed while people write (${name})`, function () {
    this.timeout(WITHIN_MS);
    let place: Place;
    let crowd: Crowd;
    const kills: Kill[] = [];

    before(async () => {
      place = await migratedPlace(url);
      crowd = await startCrowd(place);
    });
    after(async () => {
      await crowd.stop();
      await place.remove();
    });

    for (let n = 1; n <= KILLS; n += 1) {
      it(`has every change whole or not at all, and repeats its answers, kill ${n} of ${KILLS}`, async () => {
        const kill = await killInTheMiddle(crowd);
        kills.push(kill);
        expect(kill.acknowledged, 'acknowledged before the kill').to.be.above(0);
        expect(kill.torn).to.deep.equal([]);
        expect(kill.outOfOrder).to.deep.equal([]);
        expect(kill.wrongLedgers).to.deep.equal([]);
        expect(kill.wronglyAnswered).to.deep.equal([]);
      });
    }

    it('has lost no acknowledged change in the end, done each once, and left no gap in the feed', async () => {
      process.stdout.write(`      ${name}: ${summaryOf(kills)}\n`);
      expect(kills).to.have.length(KILLS);
      const last = await lookAtLast(crowd, place);
      expect(last.lost).to.deep.equal([]);
      expect(last.torn).to.deep.equal([]);
      expect(last.recorded).to.equal(last.sent);
      expect(last.isGapless).to.equal(true);
    });
  });
}

function summaryOf(kills: readonly Kill[]): string {
  const sum = (count: (kill: Kill) => number) => kills.reduce((all, kill) => all + count(kill), 0);
  const rates = kills.map(({ writesPerSecond }) => writesPerSecond).sort((a, b) => a - b);
  return (
    `${String(kills.length)} kills under ${rates.join(', ')} operations/s; changes: ` +
    `${String(sum(({ acknowledged }) => acknowledged))} acknowledged; without an answer ` +
    `${String(sum(({ unansweredPresent }) => unansweredPresent))} present, ` +
    `${String(sum(({ unansweredAbsent }) => unansweredAbsent))} absent`
  );
}
