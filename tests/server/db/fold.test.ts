import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { fold } from '#base/unicode.ts';
import { compareTexts, contains } from '#rules/record/display.ts';
import { isPlain } from '#rules/valid/length.ts';
import { wellFormed } from '#rules/valid/normal.ts';
import { testDatabase } from '../../support/database.ts';
import { aCause, aGroup, anOrganization } from '../../support/make.ts';

const NAMES = 1_000;
const WORDS = 30;

/** Names as people give them: any characters at all, and many that differ only in case or accent. */
const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom(...Array.from('aAäÄàéÉeEßẞİıσςΣøØ 한글😀％%_')),
      maxLength: 6,
    }),
  )
  .filter(isPlain)
  .map(wellFormed);

interface Row {
  readonly name: string;
}

describe('text in the database and on the device', () => {
  it(`has one order, and one answer to what contains what, for ${NAMES} names`, async () => {
    const { db } = await testDatabase();
    const names = fc.sample(name, { seed: 20260131, numRuns: NAMES });
    const { id: owner } = await anOrganization(db);
    const { id: first } = await aGroup(db, { owner, name: '' });
    await db.write(aCause(), async (write) => {
      for (const [n, text] of names.entries()) {
        const id = `${first.slice(0, 24)}${n.toString(16).padStart(12, '0')}`;
        await write.insert('group', { id, owner, name: text, abbreviation: 'G' });
      }
    });

    const bySql = await db.read((tx) =>
      tx.query<Row>(sql`select name from groups where owner_id = ${owner} order by name_key, id`),
    );
    const byDevice = ['', ...names].sort((a, b) => compareTexts(a, b));
    expect(bySql.map((row) => fold(row.name))).to.deep.equal(byDevice.map(fold));

    for (const words of names.filter((text) => text.trim() !== '').slice(0, WORDS)) {
      const key = fold(words.trim());
      const hits = await db.read((tx) =>
        tx.query<Row>(sql`select name from groups
          where owner_id = ${owner} and position(${key} in name_key) > 0 order by name_key, id`),
      );
      const expected = byDevice.filter((text) => contains([text], words));
      expect(
        hits.map((row) => fold(row.name)),
        words,
      ).to.deep.equal(expected.map(fold));
      expect(hits, words).not.to.deep.equal([]);
    }
  }).timeout(60_000);
});
