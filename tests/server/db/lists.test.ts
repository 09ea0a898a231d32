import { expect } from 'chai';
import { sql } from 'kysely';
import type { DataDocument, ResourceObject } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Database } from '#server/db/database.ts';
import { freshDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import {
  explaining,
  fillOrganization,
  firstPage,
  lists,
  pageOfList,
  RARE,
  RARE_DEFINITION,
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

    for (const name of [
      'by name',
      'by activity',
      'one’s own',
      'by a word',
      'by two words',
      'by a language',
      'by a definition',
    ])
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

    describe('with all organizations in view', () => {
      const DIRECTORY = 'filter[is-public]=eq:true&filter[date-archived]=isnull:';
      /** Some for each that is shown, and those beside it: nothing that grows with the list. */
      const FEW = 500;
      const ORDERS = ['name', '-name', 'date-created', 'date-updated', '-date-updated', 'language'];
      const superAdmin = () => ({ ...large.viewer, isSuperAdmin: true });

      interface Asked {
        readonly total: unknown;
        readonly rows: number;
        readonly forPage: number;
        readonly forTotal: number;
      }

      /** The page, and how many projects had to be looked at for it. */
      async function asked(viewer: Viewer, address: string): Promise<Asked> {
        const read = { page: 0, total: 0 };
        const { data, meta } = await db.read((tx) =>
          pageOfList(
            explaining(tx, ({ isCount, projectsRead }) => {
              read[isCount ? 'total' : 'page'] += projectsRead;
            }),
            viewer,
            address,
            null,
          ),
        );
        const rows = Array.isArray(data) ? data.length : 0;
        return { total: meta?.['total-records'], rows, forPage: read.page, forTotal: read.total };
      }

      for (const order of [...ORDERS, '-date-active']) {
        it(`finds the first page of all projects by ${order} without reading the others [14.6]`, async () => {
          const page = await asked(superAdmin(), `sort=${order}`);

          expect(page.rows).to.equal(20);
          expect(page.total).to.equal(PROJECTS * 1.25);
          expect(page.forPage).to.be.below(FEW);
          expect(page.forTotal).to.be.below(FEW);
        });

        it(`finds the first page of the directory by ${order} without reading the others [14.6]`, async () => {
          const page = await asked(superAdmin(), `${DIRECTORY}&sort=${order}`);

          expect(page.rows).to.equal(20);
          expect(page.forPage).to.be.below(FEW);
          expect(page.forTotal).to.be.below(FEW);
        });
      }

      it('finds projects by the name of a rare definition without reading the others [14.6]', async () => {
        const page = await asked(superAdmin(), `filter[search-term]=${RARE_DEFINITION}&sort=name`);

        expect(page.total).to.equal((PROJECTS * 1.25) / 1_000);
        expect(page.forPage).to.be.below(FEW);
        expect(page.forTotal).to.be.below(FEW);
      });

      it('counts the directory without reading it for a member too [14.6]', async () => {
        const page = await asked(large.viewer, `${DIRECTORY}&sort=name`);

        expect(page.rows).to.equal(20);
        expect(page.forTotal).to.be.below(FEW);
      });

      it('counts the directory without reading it, also where its order is that of another table [14.6]', async () => {
        const page = await asked(superAdmin(), `${DIRECTORY}&sort=organization.name`);

        expect(page.rows).to.equal(20);
        expect(page.forTotal).to.be.below(FEW);
      });

      it('skips the pages before a far one without reading them, and shows what stands there [14.6]', async () => {
        const whole = await db.read((tx) =>
          tx.query<{ id: string }>(
            sql`select id from projects where is_public and date_archived is null
              order by name_key, id`,
          ),
        );
        const last = Math.ceil(whole.length / 20);
        const address = `${DIRECTORY}&sort=name&page[number]=${String(last - 1)}`;
        const shown = await db.read((tx) => pageOfList(tx, superAdmin(), address, null));
        const page = await asked(superAdmin(), address);

        expect(idsIn(shown)).to.deep.equal(
          whole.slice((last - 2) * 20, (last - 1) * 20).map(({ id }) => id),
        );
        expect(page.forPage).to.be.below(FEW);
      });
    });
  });

const idsIn = ({ data }: DataDocument): readonly string[] =>
  Array.isArray(data) ? (data as readonly ResourceObject[]).map(({ id }) => id) : [];
