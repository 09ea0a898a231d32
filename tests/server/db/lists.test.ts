import { expect } from 'chai';
import type { Database } from '#server/db/database.ts';
import { freshDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import {
  explaining,
  fillOrganization,
  firstPage,
  lists,
  RARE,
} from '../../support/large-organization.ts';
import type { LargeOrganization } from '../../support/large-organization.ts';

/** So many that PostgreSQL would rather not read all of them, yet here in seconds. */
const PROJECTS = 20_000;
const LARGE = ['projects', 'products', 'product_builds', 'product_artifacts', 'feed'];

if ((process.env.DATABASE_URL ?? '') !== '')
  describe('a list of projects in a large organization on PostgreSQL', () => {
    let own: TestDatabase;
    let db: Database;
    let large: LargeOrganization;

    before(async function () {
      this.timeout(120_000);
      own = await freshDatabase();
      ({ db } = own);
      large = await fillOrganization(db, own.databaseUrl ?? '', PROJECTS);
    });
    after(() => own.close());

    for (const name of ['by name', 'by activity', 'one’s own', 'by a word'])
      it(`reads no large table row by row for its first page ${name} and its total [14.6]`, async () => {
        const scans: string[] = [];
        const page = await db.read((tx) =>
          firstPage(
            explaining(tx, ({ scanned }) => {
              scans.push(...scanned);
            }),
            large,
            lists(large.viewer)[name] ?? '',
          ),
        );

        expect(page.data).to.have.length(20);
        expect(page.included).not.to.have.length(0);
        expect(scans.filter((table) => LARGE.includes(table))).to.deep.equal([]);
      });

    it('finds a word inside a name, whatever stands around it [14.6]', async () => {
      const page = await db.read((tx) =>
        firstPage(tx, large, `filter[search-term]=${RARE.slice(2, 7)}&sort=name`),
      );

      expect(page.meta?.['total-records']).to.equal(PROJECTS / 1_000);
    });
  });
